// SPDX-License-Identifier: Apache-2.0
// SARIF and the page are made of the JSON by `ringproof report`, which knows nothing of the checker.

#include "results.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;

/// Beside this library in a build tree or installed; otherwise whatever PATH has.
std::string report_program() {
    Dl_info own;
    if (dladdr(reinterpret_cast<void*>(&write_reports), &own) != 0 && own.dli_fname) {
        std::error_code error;
        const fs::path folder = fs::canonical(own.dli_fname, error).parent_path();
        for (const char* to : {"../bin", "../libexec/ringproof", "../../libexec/ringproof", "../../bin"})
            if (const fs::path program = folder / to / "ringproof-report"; fs::exists(program))
                return program.lexically_normal().string();
    }
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

void write_reports(const std::vector<outcome>& outcomes, const command_options& options,
                   const std::vector<std::string>& invocation, bool interrupted) {
    const scratch json;
    command_options to_scratch = options;
    to_scratch.json = json.path;
    write_json(outcomes, to_scratch, invocation, interrupted);
    std::vector<std::string> words{report_program(), json.path, "--quiet"};
    if (!options.sarif.empty()) words.insert(words.end(), {"--sarif", options.sarif});
    if (!options.html.empty()) words.insert(words.end(), {"--html", options.html});
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
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
        throw std::runtime_error(
            "--sarif and --html need ringproof-report beside the checker's library, or in PATH");
    if (WEXITSTATUS(status) == to_int(command::exit_code::usage))
        throw command::file_error("--sarif or --html: not all was written");
    if (WEXITSTATUS(status) == to_int(command::exit_code::internal))
        throw std::runtime_error("ringproof-report could not make --sarif or --html");
}

} // namespace ringproof::verify
