// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace ringproof::litmus {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text); // CXX="ccache g++" is common
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
}

} // namespace

int run_command(const std::vector<std::string>& command, const std::string& log, const std::string& output) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    if (!output.empty())
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) return -error;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool in_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

std::string compile(const std::vector<std::string>& command, const scratch_folder& folder) {
    const std::string log = folder.path() + "/compiler.log";
    const int status = run_command(command, log);
    if (status == 0) return "";
    if (status == -ENOENT || status == 127)
        throw no_compiler(
            fmt::format("the compiler '{}' was not found: install g++ (Debian: apt-get install g++) "
                        "or name another with CXX or --cxx",
                        command.front()));
    std::ifstream complaints(log);
    std::string first = status < 0 ? std::strerror(-status) : fmt::format("exit code {}", status);
    for (std::string line; std::getline(complaints, line);)
        if (line.find("rror") != std::string::npos) return line;
    return first;
}

scratch_folder::scratch_folder() {
    std::string pattern = (fs::temp_directory_path() / "ringproof-litmus-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
        throw std::runtime_error(
            fmt::format("{}: cannot make a temporary folder: {}", pattern, std::strerror(errno)));
    path_ = pattern;
}

scratch_folder::~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

library::library(const std::string& code, const std::string& compiler, const scratch_folder& folder) {
    static std::atomic<unsigned> count{0}; // dlopen takes two files of one name for the same library
    const std::string stem = fmt::format("{}/test{}", folder.path(), count++);
    const std::string text = stem + ".c", binary = stem + ".so";
    std::ofstream(text) << code;
    std::vector<std::string> command = words(compiler);
    if (command.empty()) throw no_compiler("no compiler is named: set CXX or give --cxx");
    for (const char* option :
         {"-x", "c", "-std=gnu11", "-O2", "-w", "-Werror=implicit-function-declaration",
          "-fomit-frame-pointer", "-shared", "-fPIC", "-fvisibility=hidden", "-nostdlib", "-o"})
        command.emplace_back(option);
    command.push_back(binary);
    command.push_back(text);
    if (const std::string complaint = compile(command, folder); !complaint.empty())
        throw std::runtime_error(
            fmt::format("'{}' did not compile the generated code: {}", compiler, complaint));
    handle_ = dlopen(binary.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw std::runtime_error(fmt::format("cannot load the compiled test: {}", dlerror()));
    test_ = static_cast<const generated_test*>(dlsym(handle_, "ringproof_litmus_test"));
    if (!test_) throw std::runtime_error("the compiled test exports nothing");
    for (const std::string& file : {text, binary}) std::remove(file.c_str());
}

library::~library() {
    if (handle_) dlclose(handle_);
}

std::string default_compiler() {
    const char* set = std::getenv("CXX");
    return set && *set ? set : "c++";
}

} // namespace ringproof::litmus
