// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/progress.hpp>

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace ringproof::command {

std::string format_duration(double seconds) {
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_about(double number) {
    if (number < 100) return fmt::format("{:.0f}", number);
    const char* unit = "";
    for (const char* larger : {" thousand", " M", " G", " T", " P", " E"}) {
        if (number < 1000) break;
        number /= 1000;
        unit = larger;
    }
    if (number >= 1000) return fmt::format("{:.1e}{}", number, unit);
    return number < 10 ? fmt::format("{:.1f}{}", number, unit) : fmt::format("{:.0f}{}", number, unit);
}

std::string time_left(double seconds, double before, double now) {
    const double done = now - before;
    return done > 0.001 ? format_duration(seconds * (1 - now) / done) : "";
}

progress::progress(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), start_(clock::now()), last_(start_) {}

progress::~progress() { clear(); }

void progress::update(double fraction, std::string_view what) {
    if (quiet_) return;
    const auto now = clock::now();
    if (before_ < 0 && fraction >= 0) {
        before_ = fraction;
        start_ = now;
    }
    const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(30'000);
    if (now - last_ < pause) return;
    last_ = now;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    std::string line(what);
    if (fraction >= 0) line += fmt::format("  {:.0f} %", fraction * 100);
    if (const std::string left = fraction <= 1 ? time_left(elapsed, before_, fraction) : ""; !left.empty())
        line += fmt::format(", {} left", left);
    else
        line += fmt::format(", {} so far", format_duration(elapsed));
    if (terminal_) {
        fmt::print(stderr, "\r\x1b[K{}", line);
        std::fflush(stderr);
        shown_ = true;
    } else {
        fmt::print(stderr, "{}\n", line);
    }
}

void progress::clear() {
    if (!shown_) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

} // namespace ringproof::command
