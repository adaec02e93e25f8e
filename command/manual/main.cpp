// SPDX-License-Identifier: Apache-2.0
// ringproof_manual RINGPROOF FOLDER SECONDS: asks the command for its tables of options, and writes into FOLDER the manual
// pages (man/) and the completion for bash, zsh and fish. SECONDS since 1970 are the date of the pages.
#include "completion.hpp"
#include "pages.hpp"

#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>

namespace {

namespace fs = std::filesystem;
using namespace ringproof::manual; // the program's own namespace, in its main file only

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream out(file);
    out << text;
    if (!out.flush()) throw std::runtime_error(file.string() + ": cannot write");
}

int run(const std::string& program, const fs::path& folder, std::time_t seconds) {
    const command of = ask(program);
    const std::string date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(seconds));
    fs::remove_all(folder); // no page of a verb that was built before
    write(folder / "man" / (of.name + ".1"), page_of(of, date));
    for (const verb& one : of.verbs)
        write(folder / "man" / (page_name(of, one) + ".1"), page_of(of, one, date));
    write(folder / "bash" / of.name, bash_completion(of));
    write(folder / "zsh" / ("_" + of.name), zsh_completion(of));
    write(folder / "fish" / (of.name + ".fish"), fish_completion(of));
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        fmt::print(stderr, "usage: ringproof_manual RINGPROOF FOLDER SECONDS\n");
        return 2;
    }
    try {
        return run(argv[1], argv[2], std::stol(argv[3]));
    } catch (const std::exception& error) {
        fmt::print(stderr, "ringproof_manual: {}\n", error.what());
        return 2;
    }
}
