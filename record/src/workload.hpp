// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>

#include <sys/types.h>

namespace ringproof::record_command {

/// A program that is there, but does not run before `start`: its process can be attached to.
class workload {
  public:
    /// @throws std::system_error
    explicit workload(std::span<const std::string> command);
    workload(const workload&) = delete;
    workload& operator=(const workload&) = delete;
    /// Ends the program, if it has not ended.
    ~workload();

    [[nodiscard]] pid_t process() const noexcept { return process_; }
    /// @throws std::system_error when there is no such program
    void start();
    /// Its wait status, once it has ended.
    [[nodiscard]] std::optional<int> ended();

  private:
    pid_t process_ = -1;
    int go_ = -1;   ///< a byte sets it off
    int news_ = -1; ///< why exec failed, if it did
    std::string name_;
    bool running_ = false;
};

} // namespace ringproof::record_command
