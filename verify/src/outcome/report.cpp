// SPDX-License-Identifier: Apache-2.0
// SARIF, the page and the like are made of the JSON by `ringproof report`, which knows nothing of the checker.

#include "report.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/repository.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;

/// Beside the code that this is part of, which may be the checker's library or `ringproof check`, in a build tree or
/// installed; otherwise whatever PATH has.
std::string report_program() {
    std::vector<fs::path> folders;
    std::error_code error;
    Dl_info own;
    if (dladdr(reinterpret_cast<void*>(&make_reports), &own) != 0 && own.dli_fname)
        if (const fs::path library = fs::canonical(own.dli_fname, error); !error)
            for (const char* to : {"../bin", "../libexec/ringproof", "../../libexec/ringproof", "../../bin"})
                folders.push_back(library.parent_path() / to);
    if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
        folders.push_back(program.parent_path());
    for (const fs::path& folder : folders)
        if (const fs::path program = folder / "ringproof-report"; fs::exists(program, error))
            return program.lexically_normal().string();
    return "ringproof-report";
}

/// A file that is gone afterwards.
struct scratch {
    std::string path = (fs::temp_directory_path() / "ringproof-results-XXXXXX").string();
    scratch() {
        const int file = mkstemp(path.data());
        if (file < 0) throw std::runtime_error(path + ": " + std::strerror(errno));
        close(file);
    }
    ~scratch() { unlink(path.c_str()); }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
};

} // namespace

bool reports_asked(const command_options& options) {
    return !options.sarif.empty() || !options.html.empty() || !options.markdown.empty() ||
           !options.annotations.empty() || !options.code_quality.empty();
}

bool takes_standard_output(const command_options& options) {
    for (const std::string* path : {&options.json, &options.junit, &options.sarif, &options.html,
                                    &options.markdown, &options.annotations, &options.code_quality})
        if (*path == "-") return true;
    return false;
}

void make_reports(const command::json& document, const command_options& options) {
    const scratch json;
    command::write_document(document, json.path);
    std::vector<std::string> words{report_program(), json.path, "--quiet"};
    for (const auto& [option, path] :
         {std::pair{"--junit", &options.junit}, std::pair{"--sarif", &options.sarif},
          std::pair{"--html", &options.html}, std::pair{"--markdown", &options.markdown},
          std::pair{"--annotations", &options.annotations},
          std::pair{"--code-quality", &options.code_quality}})
        if (!path->empty()) words.insert(words.end(), {option, *path});
    // Paths in results are relative to this folder, so the page finds the sources there.
    if (const std::string root = command::results_root().string(); !options.html.empty() && !root.empty())
        words.insert(words.end(), {"--source", root});
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    // Its exit code says that something was refuted, too; whether it wrote is what counts. If not, it has said why.
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
        throw std::runtime_error("--sarif, --html and other reports need ringproof-report beside the "
                                 "checker's library, or in PATH");
    if (WEXITSTATUS(status) == to_int(command::exit_code::usage))
        throw command::file_error("--sarif, --html or another report: not all was written");
    if (WEXITSTATUS(status) == to_int(command::exit_code::internal))
        throw std::runtime_error("ringproof-report could not make --sarif, --html or another report");
}

} // namespace ringproof::verify
