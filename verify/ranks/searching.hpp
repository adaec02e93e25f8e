// SPDX-License-Identifier: Apache-2.0
#pragma once
// The checker as a process of its own, which ends with this one.

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ringproof::verify::ranks {

class searching {
  public:
    searching() = default;
    ~searching() { kill_it(); }
    searching(const searching&) = delete;
    searching& operator=(const searching&) = delete;

    /// @param said the file of what it prints
    /// @param nice of how little it wants a CPU
    /// @return why it could not be started; empty: it runs
    std::string start(const std::vector<std::string>& words, const std::string& said, int nice = 0);
    bool runs() const { return child_ > 0; }
    /// As Ctrl-C does: it writes down what is left.
    void interrupt();
    /// And all that it began.
    void kill_it();
    /// The status that waitpid() tells, once it has ended.
    std::optional<int> ended();

  private:
    pid_t child_ = 0;
};

} // namespace ringproof::verify::ranks
