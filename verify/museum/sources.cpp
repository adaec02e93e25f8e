// SPDX-License-Identifier: Apache-2.0
#include "sources.hpp"

#include <ringproof/command/child.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;

constexpr double long_enough = 60; ///< seconds for dpkg-query, git and tar

command::child_answer ask(const std::string& tool, std::vector<std::string> words) {
    const std::string program = command::program_in_path(tool);
    if (program.empty()) throw command::file_error(tool + " is not in PATH: install it");
    words.insert(words.begin(), program);
    return command::run_child(words, long_enough);
}

/// The version that is installed; empty: it is not.
std::string installed_version(const std::string& package) {
    if (command::program_in_path("dpkg-query").empty()) return "";
    const command::child_answer answer =
        ask("dpkg-query", {"-W", "-f", "${db:Status-Status} ${Version}\n", package});
    const std::string installed = "installed ";
    // One line for each architecture.
    if (!answer.ended || answer.exit_code != 0 || !answer.output.starts_with(installed)) return "";
    return answer.output.substr(installed.size(), answer.output.find('\n') - installed.size());
}

found_source from_package(const origin& from) {
    const std::string version = installed_version(from.package);
    if (version.empty()) return {fmt::format("needs package {}", from.package), {}, {}};
    if (!version.starts_with(from.version))
        return {fmt::format("needs {} {}; installed is {}", from.package, from.version, version), {}, {}};
    return {{}, {}, from.package + " " + version};
}

/// git as the owner of the files would run it: a clone of another user is still only read.
command::child_answer git(const std::string& folder, std::vector<std::string> words) {
    words.insert(words.begin(), {"-c", "safe.directory=*", "-C", folder});
    return ask("git", std::move(words));
}

/// Takes files out of a commit into a folder of their own.
void take_out(const std::string& clone, const origin& from, const fs::path& folder) {
    fs::create_directories(folder);
    const std::string archive = (folder / "archive.tar").string();
    std::vector<std::string> words{"archive", "--format=tar", "-o", archive, from.commit, "--"};
    words.insert(words.end(), from.paths.begin(), from.paths.end());
    command::child_answer done = git(clone, words);
    if (done.ended && done.exit_code == 0) done = ask("tar", {"-xf", archive, "-C", folder.string()});
    if (!done.ended || done.exit_code != 0)
        throw command::file_error(fmt::format("{}: cannot take {} out of commit {}", clone,
                                              fmt::join(from.paths, ", "), from.commit));
    fs::remove(archive);
}

found_source from_clone(const origin& from, const std::string& url, const clones& known,
                        const fs::path& into) {
    const auto clone = known.find(from.source);
    if (clone == known.end())
        return {fmt::format("needs --source {}=DIR, a clone of {}", from.source, url), {}, {}};
    if (const auto has = git(clone->second, {"cat-file", "-e", from.commit + "^{commit}"});
        !has.ended || has.exit_code != 0)
        throw command::file_error(fmt::format("--source {}={}: no clone with commit {}; clone {} whole",
                                              from.source, clone->second, from.commit, url));
    const std::string version = from.source + " " + from.commit.substr(0, 12);
    const fs::path folder = into / (from.source + "-" + from.commit.substr(0, 12));
    if (!fs::exists(folder)) take_out(clone->second, from, folder);
    return {{}, folder, version};
}

} // namespace

found_source find_source(const origin& from, const std::string& url, const clones& known,
                         const fs::path& into) {
    found_source found;
    if (!from.package.empty()) found = from_package(from);
    return from.source.empty() || !found.absent.empty() ? found : from_clone(from, url, known, into);
}

clones read_clones(const std::vector<std::string>& words, const std::vector<exhibit>& all) {
    std::vector<std::string_view> names;
    for (const exhibit& one : all)
        for (const edition* e : {&one.before, one.after ? &*one.after : nullptr})
            if (e && !e->from.source.empty()) names.emplace_back(e->from.source);
    clones made;
    for (const std::string& word : words) {
        const auto sign = word.find('=');
        if (sign == std::string::npos || sign == 0 || sign + 1 == word.size())
            throw std::invalid_argument(
                fmt::format("--source {}: write NAME=DIR, as in --source xenium=src/xenium", word));
        const std::string name = word.substr(0, sign), folder = word.substr(sign + 1);
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw std::invalid_argument(fmt::format("--source {}: no exhibit has a source '{}'{}", word, name,
                                                    command::suggestion(name, names)));
        if (!fs::is_directory(folder))
            throw std::invalid_argument(fmt::format("--source {}: {} is no folder", word, folder));
        made[name] = folder;
    }
    return made;
}

} // namespace ringproof::verify
