// SPDX-License-Identifier: Apache-2.0
#include "embedded.hpp"
#include "interpreter.hpp"

#include <algorithm>
#include <array>

namespace ringproof::litmus::cat {
namespace {

/// Files that models include, and that are no models themselves.
constexpr std::array<std::string_view, 8> library{"stdlib.cat",     "lock.cat",        "cross.cat",
                                                  "cos.cat",        "aarch64deps.cat", "cos-opt.cat",
                                                  "cos-no-opt.cat", "cos-ok-opt.cat"};

} // namespace

const std::string* built_in(const std::string& file) {
    for (const embedded_file& f : embedded_files())
        if (f.name == file) return &f.text;
    return nullptr;
}

std::vector<std::string> built_in_models() {
    std::vector<std::string> names;
    for (const embedded_file& f : embedded_files())
        if (std::find(library.begin(), library.end(), f.name) == library.end())
            names.push_back(f.name.substr(0, f.name.size() - 4));
    return names;
}

} // namespace ringproof::litmus::cat
