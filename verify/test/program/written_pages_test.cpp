// SPDX-License-Identifier: Apache-2.0
#include "../../src/program/written_pages.hpp"

#include "some_pages.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ringproof::verify;
using ringproof::verify::test::some_pages;

namespace {

/// Which of the pages of `memory` were written since the last call.
std::vector<std::size_t> written(written_pages& pages, const some_pages& memory) {
    std::vector<std::size_t> found;
    for (const auto& [begin, end, categories] : pages.take(memory.range()))
        for (std::uintptr_t a = begin; a < end; a += memory.page_size())
            found.push_back((a - memory.range().begin) / memory.page_size());
    return found;
}

} // namespace

TEST_CASE("whoever writes to a page, it is told once") {
    some_pages memory(1500); // more than are told at once
    written_pages pages;
    if (!pages.watch(memory.range())) return test::say_that_nothing_is_told();
    CHECK(written(pages, memory).size() == 1500); // as nothing is known of them yet
    CHECK(written(pages, memory).empty());
    memory.page(3)[17] = 1;
    uname(reinterpret_cast<utsname*>(memory.page(9) - 8)); // the system does, over the end of a page
    CHECK(memory.page(20)[0] == 0);                        // a read
    CHECK(written(pages, memory) == std::vector<std::size_t>{3, 8, 9});
    CHECK(written(pages, memory).empty());
    for (std::size_t i = 0; i < 1500; i += 2) memory.page(i)[0] = 1;
    CHECK(written(pages, memory).size() == 750);
}

TEST_CASE("a child of fork is not told, and can begin anew") {
    some_pages memory(4);
    written_pages pages;
    if (!pages.watch(memory.range())) return test::say_that_nothing_is_told();
    CHECK(pages.of_this_process());
    const pid_t child = fork();
    if (child == 0) {
        bool right = !pages.of_this_process();
        pages.close();
        right = right && pages.watch(memory.range()) && pages.of_this_process();
        pages.take(memory.range());
        memory.page(2)[5] = 7;
        right = right && written(pages, memory) == std::vector<std::size_t>{2};
        _exit(right ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("memory that is not there is not watched") {
    written_pages pages;
    some_pages memory(2), others(1);
    pages.watch(others.range()); // it maps what it needs itself, which is not to come where the memory was
    const memory_range gone = memory.range();
    memory.unmap();
    CHECK(!pages.watch(gone));
}
