// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../programs/programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace programs {
namespace {

struct a_pipe {
    int ends[2];
    explicit a_pipe(int flags = 0) { VERIFY_THAT(pipe2(ends, flags) == 0); }
    void put(const char* bytes) const {
        const auto size = static_cast<ssize_t>(std::strlen(bytes));
        VERIFY_THAT(write(ends[1], bytes, std::strlen(bytes)) == size);
    }
};

char many[5000];

} // namespace

void pipe_publishes() {
    const a_pipe p;
    int data = 0;
    together([&] { data = 1, p.put("x"); },
             [&] {
                 char c = 0;
                 VERIFY_THAT(read(p.ends[0], &c, 1) == 1 && c == 'x');
                 VERIFY_THAT(data == 1);
             });
}

void pipe_keeps_order_and_writes_whole() {
    const a_pipe p;
    together([&] { p.put("ab"); }, [&] { p.put("cd"); });
    char all[9] = {};
    VERIFY_THAT(read(p.ends[0], all, 1) == 1);
    VERIFY_THAT(read(p.ends[0], all + 1, 8) == 3);
    const bool first = std::memcmp(all, "abcd", 4) == 0, second = std::memcmp(all, "cdab", 4) == 0;
    VERIFY_THAT(first || second);
    if (second) ringproof::verify::cover("the other order");
}

void pipe_ends_with_its_writer() {
    const a_pipe p;
    together([&] { p.put("x"), close(p.ends[1]); },
             [&] {
                 char c = 0;
                 int n = 0;
                 while (read(p.ends[0], &c, 1) == 1) ++n;
                 VERIFY_THAT(n == 1);
             });
}

void pipe_without_a_reader() {
    const a_pipe p;
    close(p.ends[0]);
    p.put("x");
}
void pipe_without_a_reader_ignored() {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    const a_pipe p;
    close(p.ends[0]);
    VERIFY_THAT(write(p.ends[1], "x", 1) == -1 && errno == EPIPE);
    std::signal(SIGPIPE, before);
}

/// A pipe holds at least PIPE_BUF bytes; a write of that much is whole or is not at all.
void pipe_full() {
    const a_pipe p(O_NONBLOCK);
    VERIFY_THAT(write(p.ends[1], many, 4096) == 4096);
    VERIFY_THAT(write(p.ends[1], many, 1) == -1 && errno == EAGAIN);
    char c = 0;
    VERIFY_THAT(read(p.ends[0], &c, 1) == 1);
    VERIFY_THAT(write(p.ends[1], many, 2) == -1 && errno == EAGAIN);
    VERIFY_THAT(write(p.ends[1], many, 1) == 1);
}

void pipe_never_read() {
    const a_pipe p;
    VERIFY_THAT(write(p.ends[1], many, 4096) == 4096);
    p.put("x");
}

void pipe_long_write() {
    const a_pipe p;
    std::memset(many, 7, sizeof many);
    together([&] { VERIFY_THAT(write(p.ends[1], many, sizeof many) == sizeof many); },
             [&] {
                 static char got[sizeof many];
                 std::size_t n = 0;
                 while (n < sizeof got)
                     n += static_cast<std::size_t>(read(p.ends[0], got + n, sizeof got - n));
                 VERIFY_THAT(std::memcmp(got, many, sizeof got) == 0);
             });
}
void pipe_long_write_without_waiting() {
    const a_pipe p(O_NONBLOCK);
    VERIFY_THAT(write(p.ends[1], many, sizeof many) == 4096);
    VERIFY_THAT(write(p.ends[1], many, sizeof many) == -1 && errno == EAGAIN);
}

void pipe_set_non_blocking() {
    const a_pipe p;
    const int flags = fcntl(p.ends[0], F_GETFL);
    VERIFY_THAT((flags & O_NONBLOCK) == 0);
    VERIFY_THAT(fcntl(p.ends[0], F_SETFL, flags | O_NONBLOCK) == 0);
    VERIFY_THAT((fcntl(p.ends[0], F_GETFL) & O_NONBLOCK) != 0);
    VERIFY_THAT((fcntl(p.ends[1], F_GETFL) & O_NONBLOCK) == 0);
    char c = 0;
    VERIFY_THAT(read(p.ends[0], &c, 1) == -1 && errno == EAGAIN);
}

void pipe_wrong_end() {
    const a_pipe p;
    char c = 0;
    VERIFY_THAT(read(p.ends[1], &c, 1) == -1 && errno == EBADF);
    VERIFY_THAT(write(p.ends[0], &c, 1) == -1 && errno == EBADF);
}

} // namespace programs
