// SPDX-License-Identifier: Apache-2.0
#include "features.hpp"

#include <fmt/format.h>
#include <regex>

namespace ringproof::litmus {
namespace {

struct feature {
    std::regex pattern;
    const char* name;
};

const std::vector<feature>& features() {
    static const std::vector<feature> all = [] {
        std::vector<feature> v;
        const auto add = [&](const char* pattern, const char* name) {
            v.push_back({std::regex(pattern), name});
        };
        add(R"(\b(PTE|pte|TTD|PA|PHY)\s*\(|\b(oa|valid|af|db|dbm):)", "page tables");
        add(R"(\btag\s*\(|:\s*(green|red|blue|black|white|yellow|cyan)\b)", "memory tags (MTE)");
        add(R"(\bpac\w*\s*\()", "pointer authentication");
        add(R"(\bGCS\w*\s*\()", "guarded control stacks");
        add(R"(\b[fF]ault\s*\(|\bP\d+\.F\b)", "faults and their handlers");
        add(R"(\binstr:")", "an instruction as a value (code as data)");
        add(R"([XWVBHSDQ]?%\w)", "symbolic registers");
        add(R"(\b\d+:[VZ]\d+\.|\b\d+:[VZPQ]\d+\b|\bu?int\d+_t \d+:[VZ])",
            "vector registers (Neon, SVE, SME)");
        return v;
    }();
    return all;
}

} // namespace

void name_unknown_feature(const source& from, std::size_t begin) {
    constexpr std::size_t longest_line = 2000; // an expression is matched by recursion
    const std::string& text = from.text;
    for (std::size_t at = begin; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, std::min(end - at, longest_line));
        std::smatch found;
        for (const feature& f : features())
            if (std::regex_search(line, found, f.pattern))
                throw syntax_error(from, at + static_cast<std::size_t>(found.position(0)),
                                   fmt::format("{}: not supported", f.name));
        at = end + 1;
    }
}

} // namespace ringproof::litmus
