// SPDX-License-Identifier: Apache-2.0
// ringproof split CHECKPOINT --into N -o DIR

#include "split.hpp"

#include "../src/division/stored.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/verb.hpp>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace {

namespace fs = std::filesystem;
using namespace ringproof::verify;
using ringproof::command::exit_code, ringproof::command::file_error;

/// A folder of its own: what is left there of another division would be taken for a part of this one.
void make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw file_error(fmt::format("{}: cannot make the folder: {}", path, error.message()));
    if (!fs::is_empty(path, error) || error)
        throw file_error(fmt::format("{}: the folder is not empty; parts go to one of their own", path));
}

divided_checkpoint read(const std::string& path, std::size_t into) {
    const std::string text = ringproof::command::read_text(path);
    try {
        return split(text, into);
    } catch (const json::exception& error) {
        throw std::invalid_argument(fmt::format("{}: not a checkpoint: {}", path, error.what()));
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(
            fmt::format("{}: the checkpoint cannot be divided: {}", path, error.what()));
    }
}

int run(const std::string& path, std::size_t into, const std::string& folder) {
    const divided_checkpoint divided = read(path, into);
    const std::size_t count = divided.parts.size();
    make_folder(folder);
    for (std::size_t i = 0; i < count; ++i)
        ringproof::command::write_text(with_checksum(divided.parts[i]),
                                       fmt::format("{}/{}.json", folder, i + 1));
    fmt::print("{} parts in {}, the largest {:.2g} % of what is left, the smallest {:.2g} %\n", count, folder,
               100 * divided.largest, 100 * divided.smallest);
    if (count < into)
        fmt::print("there are not {}: a search that is stopped with --divide {} has as many positions\n",
                   into, into);
    fmt::print("for each part N:  ringproof check … --resume {0}/N.json --json {0}/N.json.out\n"
               "then:  ringproof merge {0}/*.json.out\n",
               folder);
    return to_int(exit_code::holds);
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("error", [&] {
        std::string path, folder;
        std::size_t into = 0;
        CLI::App app("Divides what is left of a search into parts that go on by themselves, on any machine.",
                     "ringproof split");
        app.add_option("CHECKPOINT", path, "what --checkpoint has written")
            ->required()
            ->check(CLI::ExistingFile);
        app.add_option("--into", into, "into N parts, as far as there are so many")
            ->type_name("N")
            ->required()
            ->check(CLI::Range(1, 1'000'000));
        app.add_option("-o,--output", folder, "write the parts to this folder, as 1.json, 2.json …")
            ->type_name("DIR")
            ->required();
        app.footer("exit codes: 0 divided · 2 usage, or a file that is no checkpoint of this checker");
        ringproof::command::add_common_options(app);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return ringproof::command::end_of_arguments(app, error);
        }
        return run(path, into, folder);
    });
}
