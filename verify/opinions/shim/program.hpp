// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scenario's side: what it is called, its memory, and what it has begun and not told yet.

#include "tool.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ringproof::opinions {

struct named_scenario {
    std::string name;
    void (*body)();
    const char* file;
    int line;
};

/// All scenarios of this executable, in the order of their files.
std::vector<named_scenario> scenarios();

/// Hooks come in here. While it lives, the code that runs is the tool's and not the scenario's.
class hook {
  public:
    hook();
    ~hook();
    hook(const hook&) = delete;
    hook& operator=(const hook&) = delete;
    /// Null outside of scenarios: the access is what it says and no more.
    tool* operator->() const { return tool_; }
    explicit operator bool() const { return tool_ != nullptr; }

  private:
    tool* tool_;
};

/// A plain write is announced before it takes place; the next hook tells what it has written.
void announce_write(std::uintptr_t at, std::uintptr_t size, place where);

/// Makes the scenario's code run under `with` from here on (a thread's function begins), or not (it ends).
void enter(tool* with);
void leave();

/// Static data is about to be written: what it held comes back for the next run.
void keep_static(std::uintptr_t at, std::uintptr_t size);
bool is_static(std::uintptr_t at);

/// Takes back all memory that a scenario has allocated, what it has announced and what it has written to static data.
void reset_program();

/// "file:line", or nothing where there is no debug information. It lives as long as the process.
const std::string& place_text(place where);

} // namespace ringproof::opinions
