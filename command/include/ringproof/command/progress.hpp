// SPDX-License-Identifier: Apache-2.0
#pragma once
// Progress with time left, on stderr: one line that is rewritten on a terminal, a plain line
// every 30 s otherwise, nothing when quiet.

#include <chrono>
#include <string>
#include <string_view>

namespace ringproof::command {

class progress {
  public:
    explicit progress(bool quiet);
    ~progress();
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    /// `fraction` in 0..1, negative when unknown; `what` is what is being done now. Cheap to call
    /// often: it prints at most ten times a second on a terminal.
    void update(double fraction, std::string_view what);

    /// Erases the line, so that results can be printed on stdout.
    void clear();

  private:
    using clock = std::chrono::steady_clock;
    bool quiet_;
    bool terminal_;
    bool shown_ = false;
    /// What was done before, when something is gone on with: the time left is that of the rest.
    double before_ = -1;
    clock::time_point start_;
    clock::time_point last_;
};

/// "1 h 02 min", "3 min 20 s", "4.1 s"
std::string format_duration(double seconds);

/// "87", "4.2 thousand", "31 M": two digits, as more would say what is not known.
std::string format_about(double number);

/// How long the rest takes if it goes on like that: in `seconds`, the part that is done grew from `before` to `now`, of 1.
/// @return empty where too little is done to say so
std::string time_left(double seconds, double before, double now);

} // namespace ringproof::command
