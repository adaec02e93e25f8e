// SPDX-License-Identifier: Apache-2.0
// Memory that programs get in other ways than from malloc(), and that of their libraries.
#include "run_binary.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace {

using Catch::Matchers::Contains;

const std::string programs = RINGPROOF_TEST_PROGRAMS "/";

program_run check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), RINGPROOF_TEST_CHECK);
    return run_binary(arguments);
}

/// A folder with libcounting.so, compiled as any library is.
struct counting_library {
    const std::string folder = "/tmp/ringproof-test-library-" + std::to_string(getpid());
    explicit counting_library(const std::string& flag = "-O1") {
        std::filesystem::create_directory(folder);
        const program_run built = run_binary(
            {"/usr/bin/env", "gcc", flag, "-shared", "-fPIC", programs + "counting.c", "-o", file()});
        REQUIRE(built.code == 0);
    }
    ~counting_library() { std::filesystem::remove_all(folder); }
    counting_library(const counting_library&) = delete;
    counting_library& operator=(const counting_library&) = delete;
    std::string file() const { return folder + "/libcounting.so"; }
    std::vector<std::string> linked() const {
        return {programs + "loads.c", "--assume",   "uninstrumented",      "--",
                "-L" + folder,        "-lcounting", "-Wl,-rpath," + folder};
    }
    std::vector<std::string> loaded(const std::string& binding = "0") const {
        return {programs + "loads.c", "--", "-DLOADS=\"" + file() + "\"", "-DBINDING=" + binding, "-ldl"};
    }
};

bool has_tbb() { return std::filesystem::exists("/usr/include/oneapi/tbb/concurrent_queue.h"); }

} // namespace

TEST_CASE("mapped memory is in each execution as it was in the first, also that from before main") {
    const program_run run = check({programs + "mapped.c"});
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
    const program_run stale = check({programs + "mapped.c", "--", "-DSTALE"});
    CHECK(stale.code == 1);
    CHECK_THAT(stale.out, Contains("assertion failed: seen == 1"));
    const program_run used = check({programs + "mapped.c", "--", "-DUSED"});
    CHECK(used.code == 1);
    CHECK_THAT(used.out, Contains("use after munmap") && Contains("mmap@mapped.c:1"));
}

TEST_CASE("memory that no library gives is refused as libc does, and an alignment that is none is an error") {
    CHECK(check({programs + "refused_memory.c"}).code == 0);
    const program_run wrong = check({programs + "refused_memory.c", "--", "-DMISALIGNED"});
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.out, Contains("aligned_alloc: the alignment 3 is not a power of two"));
}

TEST_CASE("a library that the program is linked with begins each execution as it was") {
    const counting_library library;
    const program_run run = check(library.linked());
    CAPTURE(run.out, run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
}

TEST_CASE("so do thread_local variables of a library") {
    const counting_library library("-DTHREAD_LOCAL");
    const program_run run = check(library.linked());
    CAPTURE(run.out, run.err);
    CHECK(run.code == 0);
}

TEST_CASE("a library that is loaded in an execution begins each as it was loaded") {
    const counting_library library;
    const program_run run = check(library.loaded());
    CAPTURE(run.out, run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
}

TEST_CASE("a library that asks for its own libc's functions gets the checker's all the same") {
    const counting_library library;
    const program_run run = check(library.loaded("RTLD_DEEPBIND"));
    CAPTURE(run.out, run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
}

TEST_CASE("a library that is loaded before main() begins each execution as main() found it") {
    const counting_library library;
    std::vector<std::string> arguments = library.loaded();
    arguments.push_back("-DEARLY");
    const program_run run = check(arguments);
    CAPTURE(run.out, run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
}

TEST_CASE("a library with thread_local variables is refused when it is loaded in an execution") {
    const counting_library library("-DTHREAD_LOCAL");
    const program_run run = check(library.loaded());
    CAPTURE(run.out, run.err);
    CHECK(run.code == 2);
    CHECK_THAT(run.out + run.err, Contains("thread_local") && Contains("main at loads.c:32"));
}

TEST_CASE("oneTBB's own allocator is not loaded, as if it were not installed") {
    const counting_library library;
    const std::string allocator = library.folder + "/libtbbmalloc.so.2";
    std::filesystem::copy_file(library.file(), allocator);
    std::vector<std::string> arguments = library.loaded();
    arguments.push_back("-DLEFT_OUT=\"" + allocator + "\"");
    const program_run run = check(arguments);
    CAPTURE(run.out, run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified") && Contains("2 executions"));
}

TEST_CASE("oneTBB's containers are checked over malloc(), whatever has been allocated before main()") {
    if (!has_tbb()) return;
    const program_run early =
        check({programs + "tbb_early.cpp", "--assume", "uninstrumented", "--", "-ltbb"});
    CAPTURE(early.out, early.err);
    CHECK(early.code == 0);
    CHECK_THAT(early.out, Contains("verified"));
    const program_run queue =
        check({programs + "tbb_queue.cpp", "--assume", "uninstrumented", "--", "-ltbb"});
    CAPTURE(queue.out, queue.err);
    CHECK(queue.code == 0);
    CHECK_THAT(queue.out, Contains("verified"));
    const program_run wrong = check({programs + "tbb_queue.cpp", "--", "-ltbb", "-DWRONG"});
    CHECK(wrong.code == 1);
    CHECK_THAT(wrong.out, Contains("assertion failed: !got"));
    const program_run map =
        check({programs + "tbb_queue.cpp", "--assume", "uninstrumented", "--", "-ltbb", "-DMAP"});
    CAPTURE(map.out, map.err);
    CHECK_THAT(map.out, Contains("verified"));
}

// The source of mimalloc, which Debian has only as a library: static.c in the folder that RINGPROOF_MIMALLOC names.
TEST_CASE("a program over mimalloc as one file is checked") {
    const char* const folder = std::getenv("RINGPROOF_MIMALLOC");
    if (!folder) return;
    const std::string source = folder;
    const program_run run = check({programs + "mimalloc.c", source + "/src/static.c", "--trust-assembly",
                                   "--", "-I" + source + "/include", "-DMI_MALLOC_OVERRIDE=0"});
    CAPTURE(run.out, run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("verified"));
}

TEST_CASE("a pointer to freed memory is not forgotten that longjmp() comes back to") {
    for (const char* level : {"-O0", "-O1", "-O2"}) {
        CAPTURE(level);
        const program_run reads = check({programs + "returns_twice.c", "--", level});
        CHECK(reads.code == 1);
        CHECK_THAT(reads.out, Contains("assertion failed: made != kept"));
        CHECK(check({programs + "returns_twice.c", "--", level, "-DFORGETS"}).code == 0);
    }
}
