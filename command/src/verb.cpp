// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/verb.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <iostream>
#include <stdexcept>
#include <system_error>

namespace ringproof::command {
namespace {

/// On standard error. That may be full as well, which is nothing to end with an exception for.
void say(std::string_view name, std::string_view what) {
    const std::string line = fmt::format("{}: {}\n", name, what);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

/// Whether all that was printed got through; says why not.
bool output_is_whole(std::string_view name) {
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0 && !std::ferror(stdout);
    const int error = errno;
    if (flushed && std::cout.flush()) return true;
    say(name, fmt::format("standard output: cannot write all of the results{}{}", error ? ": " : "",
                          error ? std::strerror(error) : ""));
    return false;
}

} // namespace

int run_verb(std::string_view name, const std::function<int()>& verb) {
    int code = to_int(exit_code::internal);
    try {
        code = verb();
    } catch (const file_error& error) {
        say(name, error.what());
        code = to_int(exit_code::usage);
    } catch (const std::invalid_argument& error) {
        say(name, error.what());
        code = to_int(exit_code::usage);
    } catch (const std::exception& error) {
        // Printing to a full device ends in an exception of the library; said below.
        if (!std::ferror(stdout)) say(name, fmt::format("internal error: {}", error.what()));
    }
    return output_is_whole(name) ? code : to_int(exit_code::usage);
}

} // namespace ringproof::command
