// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiles generated code with the machine's own compiler and loads it.

#include "abi.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace ringproof::litmus {

/// No compiler on this machine: nothing can be run, whatever the test.
class no_compiler : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A folder of its own below the temporary folder, removed with everything in it at the end.
class scratch_folder {
  public:
    scratch_folder();
    ~scratch_folder();
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// Runs the command with stderr into the file `log`, and stdout into `output` unless that is empty.
/// @returns the exit code, or -errno if it did not start
int run_command(const std::vector<std::string>& command, const std::string& log,
                const std::string& output = "");

/// Whether $PATH has a program of that name.
bool in_path(const std::string& program);

/// @returns "" or the compiler's first complaint. @throws no_compiler
std::string compile(const std::vector<std::string>& command, const scratch_folder& folder);

class library {
  public:
    /// @param compiler a command, such as "c++"
    /// @throws no_compiler, or std::runtime_error with the compiler's first complaint
    library(const std::string& code, const std::string& compiler, const scratch_folder& folder);
    ~library();
    library(const library&) = delete;
    library& operator=(const library&) = delete;
    const generated_test& test() const { return *test_; }

  private:
    void* handle_ = nullptr;
    const generated_test* test_ = nullptr;
};

/// $CXX if it is set, else "c++".
std::string default_compiler();

} // namespace ringproof::litmus
