// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace ringproof::detail {

/// A process, told from another that got the same number later by when it was started. Never 0.
/// Processes that share a ring must see each other's numbers (one PID namespace) and /proc.
class process_identity {
  public:
    static constexpr bool knows_forks = true;

    [[nodiscard]] static std::uint64_t own() noexcept {
        const auto pid = static_cast<std::uint32_t>(::getpid());
        return std::uint64_t{pid} << 32 | read(pid).started;
    }

    /// Is this it? No longer after a fork, in the child.
    [[nodiscard]] static bool is_own(std::uint64_t identity) noexcept {
        return static_cast<std::uint32_t>(identity >> 32) == static_cast<std::uint32_t>(::getpid());
    }

    /// Is it proven that this process has ended? A process that has ended and was not waited for yet counts.
    /// What can't be found out is no proof: nor could the process itself when it had no file descriptor left, say.
    [[nodiscard]] static bool dead(std::uint64_t identity) noexcept {
        const auto pid = static_cast<std::uint32_t>(identity >> 32);
        const auto started = static_cast<std::uint32_t>(identity);
        const auto now = read(pid);
        if (now.known) return now.ended || (started != 0 && now.started != started);
        return ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
    }

  private:
    struct status {
        bool known = false, ended = false;
        std::uint32_t started = 0; ///< clock ticks after boot, the low half
    };

    static status read(std::uint32_t pid) noexcept {
        std::array<char, 32> path{};
        std::snprintf(path.data(), path.size(), "/proc/%u/stat", pid);
        const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return {};
        std::array<char, 1024> text{};
        const auto length = ::read(file, text.data(), text.size() - 1);
        ::close(file);
        if (length <= 0) return {};
        // "pid (name) state …": a name may have parentheses and spaces in it, so from the last one on.
        const char* at = std::strrchr(text.data(), ')');
        if (at == nullptr || at[1] != ' ') return {};
        at += 2;
        status result;
        result.ended = *at == 'Z' || *at == 'X' || *at == 'x';
        for (int field = 3; field != 22; ++field) { // starttime is the 22nd
            at = std::strchr(at, ' ');
            if (at == nullptr) return {};
            ++at;
        }
        result.started = static_cast<std::uint32_t>(std::strtoull(at, nullptr, 10));
        result.known = true;
        return result;
    }
};

} // namespace ringproof::detail
