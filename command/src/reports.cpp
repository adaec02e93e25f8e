// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/reports.hpp>

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

namespace ringproof::command {
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

bool report_files::any() const {
    for (const std::string* path : {&junit, &sarif, &html, &markdown, &annotations, &code_quality})
        if (!path->empty()) return true;
    return false;
}

void make_reports(const json& document, const report_files& files) {
    const scratch file;
    write_document(document, file.path);
    std::vector<std::string> words{report_program(), file.path, "--quiet"};
    for (const auto& [option, path] :
         {std::pair{"--junit", &files.junit}, std::pair{"--sarif", &files.sarif},
          std::pair{"--html", &files.html}, std::pair{"--markdown", &files.markdown},
          std::pair{"--annotations", &files.annotations}, std::pair{"--code-quality", &files.code_quality}})
        if (!path->empty()) words.insert(words.end(), {option, *path});
    // Paths in results are relative to this folder, so the page finds the sources there.
    if (const std::string root = results_root().string(); !files.html.empty() && !root.empty())
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
    if (WEXITSTATUS(status) == to_int(exit_code::usage))
        throw file_error("--sarif, --html or another report: not all was written");
    if (WEXITSTATUS(status) == to_int(exit_code::internal))
        throw std::runtime_error("ringproof-report could not make --sarif, --html or another report");
}

} // namespace ringproof::command
