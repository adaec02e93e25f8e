// SPDX-License-Identifier: Apache-2.0
#include "../command/checked.hpp"

using namespace ringproof::verify::test;
using Catch::Matchers::Contains;

TEST_CASE("what a lock, a semaphore or a condition variable is used for has to come before it is destroyed") {
    const std::vector<std::vector<std::string>> all{
        {"-DUSE=pthread_rwlock_rdlock(&rwlock),pthread_rwlock_unlock(&rwlock)",
         "-DDESTROY=pthread_rwlock_destroy(&rwlock)"},
        {"-DUSE=pthread_spin_lock(&spin),pthread_spin_unlock(&spin)",
         "-DDESTROY=pthread_spin_destroy(&spin)"},
        {"-DUSE=pthread_cond_signal(&cond)", "-DDESTROY=pthread_cond_destroy(&cond)"},
        {"-DUSE=sem_post(&sem)", "-DDESTROY=sem_destroy(&sem)"}};
    for (std::vector<std::string> flags : all) {
        CAPTURE(flags);
        CHECK(check("destroyed.c", flags).code == 1);
        flags.emplace_back("-DORDERED");
        holds("destroyed.c", flags);
    }
}

TEST_CASE(
    "how many threads a futex has woken is not modelled, and which it wakes of several sets is refused") {
    holds("futex_results.c", {});
    const program_run counts = check("futex_results.c", {"-DCOUNTS"});
    CHECK(counts.code == 4);
    CHECK_THAT(counts.out, Contains("how many threads a futex has woken"));
    const program_run bits = check("futex_results.c", {"-DBITS=2"});
    CHECK(bits.code != 0);
    CHECK_THAT(bits.out, Contains("FUTEX_BITSET_MATCH_ANY"));
}

TEST_CASE("each thread has a number of its own of the system's") {
    holds("thread_numbers.c", {"-DNUMBER=gettid()"});
    holds("thread_numbers.c", {"-DNUMBER=syscall(SYS_gettid)"});
    CHECK(check("thread_numbers.c", {"-DNUMBER=getpid()"}).code == 1);
}

TEST_CASE("a thread that calls pthread_exit() destroys what its keys hold") { holds("thread_exits.c", {}); }

TEST_CASE(
    "an atomic object of a size that libatomic makes is refused, wherever the program names that library") {
    for (const char* const size : {"-DSIZE=3", "-DSIZE=24"})
        for (const char* const library : {"-DNONE", "-latomic"}) {
            CAPTURE(size, library);
            const program_run run = check("odd_atomic.c", {size, library});
            CHECK(run.code != 0);
            CHECK_THAT(run.out, Contains("an atomic of "));
        }
}

TEST_CASE("only what was allocated may be freed") {
    const program_run run = check("freed.c", {"-DFREED=allocated+4", "-Wno-free-nonheap-object"});
    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("free of an address that no allocation has given"));
    holds("freed.c", {"-DFREED=allocated"});
    for (const char* const variable : {"&local", "&global", "&mine", "literal"}) {
        const program_run freed =
            check("freed.c", {std::string("-DFREED=") + variable, "-Wno-free-nonheap-object"});
        CAPTURE(variable, freed.out);
        CHECK(freed.code == 1);
        CHECK_THAT(freed.out, Contains("free of a variable, which no allocation has given"));
    }
}

TEST_CASE("a call that would stop the checker for ever is refused") {
    CHECK_THAT(check("freed.c", {"-DFREED=(pause(),allocated)"}).out, Contains("pause()"));
    CHECK_THAT(check("freed.c", {"-DFREED=(select(0,0,0,0,0),allocated)"}).out, Contains("select()"));
}

TEST_CASE("threads that begin with different ways to round are not alike") {
    CHECK(check("rounding.c", {"-lm"}).code == 1);
    CHECK(check("rounding.c", {"-lm", "-DUPWARD_IS_LAST"}).code == 1);
}
