// SPDX-License-Identifier: Apache-2.0
#include "runtime_objects.hpp"

#include "compiler.hpp"

#include <ringproof/command/checksum.hpp>
#include <ringproof/command/child.hpp>
#include <ringproof/command/file.hpp>

#include <cstdlib>
#include <fmt/format.h>
#include <stdexcept>
#include <unistd.h>

namespace ringproof::silicon::a64 {
namespace {

namespace fs = std::filesystem;

const char* const runtime_files[] = {"start.c", "conditions.c", "shared.c", "library.c", "cxx.cpp"};
const char* const runtime_header = "ask.h";

/// The runtime's sources, beside this program or installed.
fs::path runtime_folder() {
    const fs::path here = fs::canonical("/proc/self/exe").parent_path();
    for (const fs::path& folder : {fs::path(RINGPROOF_A64_RUNTIME), here / RINGPROOF_A64_RUNTIME_INSTALLED})
        if (!folder.empty() && fs::exists(folder / "start.c")) return folder;
    throw std::runtime_error(
        "the sources of the runtime for AArch64 are missing: install ringproof-tools again");
}

struct compilation {
    words command; ///< all but where the object goes
    std::string object;
};

std::vector<compilation> compilations(const runtime_order& order, const fs::path& sources) {
    std::vector<compilation> all;
    const words compiler = begin(order.compiler);
    for (const std::string name : runtime_files) {
        if (!order.cxx && is_cxx(name)) continue;
        compilation one{compiler, name + ".o"};
        one.command.insert(one.command.end(), {"-O2", "-w", "-mno-outline-atomics", "-c"});
        one.command.insert(one.command.end(), for_all.begin(), for_all.end());
        if (is_cxx(name))
            one.command.insert(one.command.end(), {"-std=c++20", "-fno-exceptions"});
        else
            one.command.insert(one.command.end(), {"-ffreestanding", "-fno-builtin"});
        if (order.lse) one.command.emplace_back("-DRINGPROOF_LSE=1");
        add_source(one.command, sources / name);
        all.push_back(std::move(one));
    }
    return all;
}

bool compile(const std::vector<compilation>& all, const fs::path& folder) {
    for (const auto& [command, object] : all) {
        words line = command;
        line.insert(line.end(), {"-o", folder / object});
        if (!run(line)) return false;
    }
    return true;
}

std::vector<fs::path> objects(const std::vector<compilation>& all, const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const compilation& one : all) paths.push_back(folder / one.object);
    return paths;
}

/// Where objects are kept; empty: nowhere.
fs::path cache_folder() {
    if (const char* const chosen = std::getenv("RINGPROOF_CACHE")) return chosen;
    // By the XDG Base Directory Specification a path that is not absolute is ignored.
    if (const char* const caches = std::getenv("XDG_CACHE_HOME"); caches && fs::path(caches).is_absolute())
        return fs::path(caches) / "ringproof";
    const char* const home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".cache" / "ringproof" : fs::path();
}

/// What the objects depend on: the commands, the compiler's version and file, and the runtime's sources.
std::string name_of(const std::vector<compilation>& all, const runtime_order& order,
                    const fs::path& sources) {
    constexpr double longest = 60;
    words version = begin(order.compiler);
    const std::string program = version.front();
    version.emplace_back("--version");
    const command::child_answer answer = command::run_child(version, longest);
    if (!answer.ended || answer.exit_code != 0) return "";
    std::error_code error;
    std::string all_of_it =
        answer.output + fmt::format("{} {}", fs::file_size(program, error),
                                    fs::last_write_time(program, error).time_since_epoch().count());
    if (error) return "";
    for (const compilation& one : all)
        for (const std::string& word : one.command) all_of_it += word + '\0';
    all_of_it += command::read_text(sources / runtime_header);
    for (const char* const name : runtime_files) all_of_it += command::read_text(sources / name);
    return fmt::format("armv8-{:016x}", command::checksum_of(all_of_it));
}

constexpr const char* checksum_file = "checksum";

std::string checksum_of(const std::vector<fs::path>& files) {
    std::string all;
    for (const fs::path& file : files) all += command::read_text(file) + '\0';
    return fmt::format("{:016x}", command::checksum_of(all));
}

/// Whether the objects there are those that were put there: after a crash of the system, files may be empty.
bool is_whole(const std::vector<compilation>& all, const fs::path& kept) {
    if (!fs::is_directory(kept)) return false;
    try {
        return command::read_text(kept / checksum_file) == checksum_of(objects(all, kept));
    } catch (const command::file_error&) {
        return false;
    }
}

/// Copies the objects to the cache. Does nothing if the cache cannot be written. They are copied to a temporary folder,
/// which is then renamed: no other process reads an incomplete folder.
void keep(const std::vector<compilation>& all, const fs::path& compiled, const fs::path& kept) {
    if (is_whole(all, kept)) return; // another process was first
    command::write_text(checksum_of(objects(all, compiled)), compiled / checksum_file);
    std::error_code error;
    fs::remove_all(kept, error); // damaged, if it is there
    fs::create_directories(kept.parent_path(), error);
    std::string made = kept.string() + "-XXXXXX";
    if (error || !mkdtemp(made.data())) return;
    fs::copy(compiled, made, error);
    if (!error) fs::rename(made, kept, error);
    if (error) fs::remove_all(made, error);
}

} // namespace

std::vector<fs::path> runtime_objects(const runtime_order& order, const fs::path& folder) {
    const fs::path sources = runtime_folder();
    const std::vector<compilation> all = compilations(order, sources);
    const fs::path cache = cache_folder();
    const std::string name = cache.empty() ? "" : name_of(all, order, sources);
    const fs::path kept = name.empty() ? fs::path() : fs::absolute(cache) / name;
    if (!kept.empty() && is_whole(all, kept)) return objects(all, kept);
    const fs::path compiled = folder / "runtime";
    fs::create_directory(compiled);
    if (!compile(all, compiled)) return {};
    if (!kept.empty()) keep(all, compiled, kept);
    return objects(all, compiled);
}

} // namespace ringproof::silicon::a64
