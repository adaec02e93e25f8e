// SPDX-License-Identifier: Apache-2.0
#include "compile_commands.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/file.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;
using command::json;

/// Flags with a value in the next word that are left out with it.
constexpr std::array<std::string_view, 6> left_out_with_value{"-o",  "-MF", "-MT",
                                                              "-MQ", "-MJ", "--serialize-diagnostics"};
/// Flags that are left out, whatever follows in the same word.
constexpr std::array<std::string_view, 17> left_out{"-o",
                                                    "-M",
                                                    "-O",
                                                    "-g",
                                                    "-fsanitize",
                                                    "-fno-sanitize",
                                                    "-flto",
                                                    "-ffat-lto",
                                                    "-Werror",
                                                    "-fprofile",
                                                    "-ftest-coverage",
                                                    "--coverage",
                                                    "-save-temps",
                                                    "-fmodule",
                                                    "-fdeps",
                                                    "-fomit-frame-pointer",
                                                    "-pedantic"};

bool is_left_out(const std::string& word) {
    if (word == "-c" || word == "-S" || word == "-E" || word == "-w") return true;
    // Words for the linker, the assembler and the preprocessor are none of the warnings.
    if (word.starts_with("-W") && !word.starts_with("-Wl,") && !word.starts_with("-Wa,") &&
        !word.starts_with("-Wp,"))
        return true;
    return std::any_of(left_out.begin(), left_out.end(),
                       [&](std::string_view one) { return word.starts_with(one); });
}

fs::path whole(const fs::path& folder, const std::string& file) {
    std::error_code error;
    const fs::path path = fs::path(file).is_absolute() ? fs::path(file) : folder / file;
    const fs::path real = fs::weakly_canonical(path, error);
    return error ? path.lexically_normal() : real;
}

std::string text(const json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

} // namespace

std::vector<std::string> words_of_command(std::string_view command) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        const bool next = i + 1 < command.size();
        if (c == '\\' && quote != '\'' && next &&
            (quote == 0 || command[i + 1] == '"' || command[i + 1] == '\\')) {
            word += command[++i];
            begun = true;
        } else if (quote != 0 ? c == quote : (c == '"' || c == '\'')) {
            quote = quote != 0 ? '\0' : c;
            begun = true; // "" is a word
        } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            if (begun) words.push_back(word);
            word.clear();
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (begun) words.push_back(word);
    return words;
}

std::vector<std::string> flags_of_command(const std::vector<std::string>& command, std::string_view file) {
    std::vector<std::string> flags;
    std::size_t i = 0;
    while (i < command.size() && !command[i].starts_with('-'))
        ++i; // the compiler, and a launcher such as ccache
    for (; i < command.size(); ++i) {
        const std::string& word = command[i];
        if (std::find(left_out_with_value.begin(), left_out_with_value.end(), word) !=
            left_out_with_value.end())
            ++i;
        else if (word != file && word != "--" && !is_left_out(word))
            flags.push_back(word);
    }
    return flags;
}

source_file source_in_database(const std::string& database, const std::string& source) {
    const std::string path =
        fs::is_directory(database) ? (fs::path(database) / "compile_commands.json").string() : database;
    const json entries = command::read_document(path);
    if (!entries.is_array())
        throw command::file_error(fmt::format("{}: no compile_commands.json: it is no array", path));
    const fs::path wanted = whole(fs::current_path(), source);
    for (const json& entry : entries) {
        if (!entry.is_object()) continue;
        const std::string file = text(entry, "file");
        const fs::path folder = whole(fs::absolute(path).parent_path(), text(entry, "directory"));
        if (file.empty() || whole(folder, file) != wanted) continue;
        std::vector<std::string> words = words_of_command(text(entry, "command"));
        if (const auto found = entry.find("arguments"); found != entry.end() && found->is_array()) {
            words.clear();
            for (const json& word : *found)
                if (word.is_string()) words.push_back(word);
        }
        if (words.empty())
            throw command::file_error(
                fmt::format("{}: the entry of {} has neither \"command\" nor \"arguments\"", path, source));
        return {wanted.string(), flags_of_command(words, file), folder.string()};
    }
    throw command::file_error(
        fmt::format("{}: has no entry for {}: is the source part of a target of that build?", path, source));
}

} // namespace ringproof::verify
