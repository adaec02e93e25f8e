// SPDX-License-Identifier: Apache-2.0
#pragma once
// Something that is found out in a process of its own, since it may not end, or changes what it runs on.

#include <functional>
#include <string>

namespace ringproof::verify {

struct told_apart {
    std::string text;    ///< what `what` returned
    int status = 0;      ///< of the process, as waitpid() has it: 0 is a good end
    bool threw = false;  ///< `what` threw
    bool killed = false; ///< by `signal`
    int signal = 0;      ///< SIGALRM: the time was over
    bool good() const { return status == 0; }
};

/// Runs `what` in a process of its own, for up to `seconds`. @throws std::runtime_error where there is no such process
told_apart run_apart(const std::function<std::string()>& what, unsigned seconds);

} // namespace ringproof::verify
