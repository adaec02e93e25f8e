// SPDX-License-Identifier: Apache-2.0
// Real compilers, those of this machine: the usual shapes with every choice of memory orders, and compilers that a script
// has broken. A compiler that is not installed is left out.
#include "compile/campaign.hpp"
#include "cycle/choose.hpp"
#include "cycle/emit.hpp"
#include "frontend/front_ends.hpp"
#include "hardware/library.hpp"
#include "random_c11.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::compiled;
namespace fs = std::filesystem;

namespace {

const std::string arm_gcc = "aarch64-linux-gnu-gcc";

struct files_of_tests {
    scratch_folder folder;
    std::vector<std::string> files;
    void add(const std::string& text) {
        files.push_back(fmt::format("{}/{}.litmus", folder.path(), files.size()));
        std::ofstream(files.back()) << text;
    }
};

struct ran {
    campaign_result result;
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    std::string log;
};

ran run(const std::vector<std::string>& files, const std::vector<std::string>& compilers, int unroll = 2) {
    campaign_options o;
    o.files = files;
    o.compilers = compilers;
    o.unroll = unroll;
    o.jobs = 2;
    const std::atomic<bool> interrupted{false};
    ran r;
    r.result = compile_and_compare(
        o, interrupted, [&](const campaign_item& i) { r.log += i.log; }, r.results);
    return r;
}

/// Compilers of this machine, of all that this part is tried with.
std::vector<std::string> present() {
    std::vector<std::string> found;
    for (const char* command :
         {"g++ -O2", "aarch64-linux-gnu-gcc -O2", "aarch64-linux-gnu-gcc -O1 -march=armv8.3-a",
          "riscv64-linux-gnu-gcc -O2", "clang-14 -O3", "clang-14 --target=aarch64-linux-gnu -O2",
          "clang-14 --target=aarch64-linux-gnu -O2 -march=armv8.1-a",
          "clang-14 --target=riscv64-linux-gnu -march=rv64gc -O2"}) {
        const std::string line = command;
        if (in_path(line.substr(0, line.find(' ')))) found.push_back(line);
    }
    return found;
}

/// A script that runs a compiler and then changes its assembly with sed.
std::string broken(const scratch_folder& folder, const std::string& compiler, const std::string& sed) {
    const std::string file = fmt::format("{}/broken", folder.path());
    std::ofstream(file) << "#!/bin/sh\n"
                        << compiler << " \"$@\" || exit 1\nwhile [ $# -gt 2 ]; do shift; done\n"
                        << "[ \"$2\" ] && sed -i '" << sed << "' \"$1\"\nexit 0\n";
    fs::permissions(file, fs::perms::owner_all);
    return file;
}

/// Cycles of two to four threads whose accesses have all orders, with fences and dependencies.
void add_cycles(files_of_tests& to, std::uint64_t seed, std::size_t count) {
    const cycles::dialect& c = *cycles::find_dialect("C");
    cycles::selection s;
    s.edges = c.alphabet;
    for (std::size_t m = 0; m < c.marks.size(); ++m)
        if (c.marks[m].word != "Na") s.marks.push_back(static_cast<int>(m));
    s.size = 6;
    cycles::random_cycles(c, s, seed, [&](const cycles::cycle& one) {
        to.add(cycles::emit(c, one, true).text);
        return to.files.size() < count;
    });
}

} // namespace

TEST_CASE("two threads with every choice of orders: no compiler of this machine adds an outcome") {
    files_of_tests all;
    const cycles::dialect& c = *cycles::find_dialect("C");
    cycles::selection s;
    s.edges = c.alphabet;
    s.edges.erase(std::remove_if(s.edges.begin(), s.edges.end(),
                                 [](const cycles::edge& e) {
                                     return e.is_dependency() || e.what == cycles::edge::kind::rmw;
                                 }),
                  s.edges.end());
    for (std::size_t m = 0; m < c.marks.size(); ++m)
        if (c.marks[m].word != "Na") s.marks.push_back(static_cast<int>(m));
    s.threads = 2;
    cycles::all_cycles(c, s, [&](const cycles::cycle& one) {
        all.add(cycles::emit(c, one, true).text);
        return all.files.size() < 250;
    });
    const ran r = run(all.files, present());
    INFO(r.log << to_text(r.result));
    CHECK(all.files.size() > 200);
    for (const tally& t : r.result.compilers) CHECK(t.consistent == all.files.size());
}

TEST_CASE("random cycles of up to four threads: no compiler of this machine adds an outcome") {
    files_of_tests all;
    add_cycles(all, 7, 100);
    const ran r = run(all.files, present());
    INFO(r.log << to_text(r.result));
    for (const tally& t : r.result.compilers) CHECK(t.consistent == all.files.size());
}

TEST_CASE("random programs of read-modify-writes are read and compared for every compiler of this machine") {
    files_of_tests all;
    std::mt19937 random(3);
    while (all.files.size() < 150) all.add(random_c11(random));
    const ran r = run(all.files, present());
    INFO(r.log << to_text(r.result));
    for (const tally& t : r.result.compilers) {
        CHECK(t.consistent + t.refuted == all.files.size());
        // clang 14 and gcc 12 for RISC-V have bugs, and some of these programs meet them.
        const bool known = t.compiler.starts_with("clang-14") || t.compiler.starts_with("riscv64");
        if (!known) CHECK(t.refuted == 0);
    }
}

TEST_CASE("the ring's tests, each letter left out in turn: no compiler of this machine adds an outcome") {
    std::vector<std::string> files;
    for (const char* folder : {"c11", "lkmm"})
        for (const fs::directory_entry& e :
             fs::directory_iterator(fmt::format("{}/perf-ring/{}", RINGPROOF_LITMUS_TESTS, folder)))
            files.push_back(e.path().string());
    REQUIRE(files.size() == 88);
    const ran r = run(files, present());
    INFO(r.log << to_text(r.result));
    for (const tally& t : r.result.compilers) {
        CHECK(t.consistent == 52);
        CHECK(t.skipped == 36); // plain data, raced for
    }
}

TEST_CASE("a compiler that loses an order is refuted, with the outcome, the cycle and the code") {
    if (!in_path(arm_gcc)) return;
    files_of_tests all;
    all.add("C MP\n{ }\nP0(int* x, atomic_int* y) {\n *x = 1;\n atomic_store_explicit(y, 1, "
            "memory_order_release);\n}\n"
            "P1(int* x, atomic_int* y) {\n int r1 = 2;\n int r0 = atomic_load_explicit(y, "
            "memory_order_acquire);\n"
            " if (r0 == 1) r1 = *x;\n}\nexists (1:r0=1 /\\ 1:r1=0)\n");
    CHECK(run(all.files, {arm_gcc + " -O2"}).result.compilers.at(0).consistent == 1);
    for (const char* sed : {"s/stlr/str/", "s/ldar/ldr/"}) {
        const ran r = run(all.files, {broken(all.folder, arm_gcc, sed) + " -O2"});
        INFO(r.log);
        CHECK(r.result.compilers.at(0).refuted == 1);
        CHECK(r.results[0]["verdict"] == "refuted");
        CHECK(r.results[0]["model"] == "rc11 without no-thin-air");
        CHECK(r.results[0]["message"].get<std::string>().find("(compiled by '") != std::string::npos);
        CHECK(r.results[0]["forbidden"] == std::vector<std::string>{"1:r0=1; 1:r1=0;"});
        CHECK(r.log.find("A bug of the compiler, or of its mapping of atomics to AArch64:\nThe source "
                         "forbids 1:r0=1; 1:r1=0;\n"
                         "WhyNot MP check ") != std::string::npos);
        CHECK(r.log.find("The machine allows it:\n  P0 line ") != std::string::npos);
        CHECK(r.log.find("AArch64 MP\n{\n") != std::string::npos);
        CHECK(load_test({"", r.results[0]["compiled"].get<std::string>()}, 2).what.threads.size() == 2);
    }
}

TEST_CASE("fences lost on RISC-V and on x86 are found, too") {
    files_of_tests all;
    all.add(
        "C SB\n{ }\nP0(atomic_int* x, atomic_int* y) {\n atomic_store(x, 1);\n int r0 = atomic_load(y);\n}\n"
        "P1(atomic_int* x, atomic_int* y) {\n atomic_store(y, 1);\n int r0 = atomic_load(x);\n}\n"
        "exists (0:r0=0 /\\ 1:r0=0)\n");
    const auto check = [&](const std::string& compiler, const std::string& sed) {
        if (!in_path(compiler.substr(0, compiler.find(' ')))) return;
        const ran right = run(all.files, {compiler + " -O2"});
        INFO(right.log);
        CHECK(right.result.compilers.at(0).consistent == 1);
        const ran r = run(all.files, {broken(all.folder, compiler, sed) + " -O2"});
        INFO(r.log);
        CHECK(r.result.compilers.at(0).refuted == 1);
    };
    check("clang-14 --target=riscv64-linux-gnu -march=rv64gc", "/fence/d");
    check("g++", "s/xchgl\\(.*\\), %\\(e.x\\)/movl %\\2, \\1/");
}

TEST_CASE(
    "known bugs of clang 14, and of gcc 12 on RISC-V, are found, and other compilers have none of them") {
    std::vector<std::string> files;
    for (const char* name : {"add-of-zero-as-load", "compare-exchange-without-release", "exchange-as-store",
                             "exchange-then-acquire-fence"})
        files.push_back(fmt::format("{}/compilers/c11/{}.litmus", RINGPROOF_LITMUS_TESTS, name));
    for (const std::string& compiler : present()) {
        const ran r = run(files, {compiler});
        INFO(r.log);
        const tally& t = r.result.compilers.at(0);
        const bool arm = t.machine == "AArch64";
        std::size_t bugs = 0;
        if (compiler.starts_with("clang-14")) bugs = arm ? 1 : 3;
        if (compiler.starts_with("riscv64") && t.version.find(" 12.") != std::string::npos) bugs = 1;
        CHECK(t.refuted == bugs);
        CHECK(t.consistent == files.size() - bugs);
    }
}

TEST_CASE("what cannot be compared is told, and does not stop the others") {
    files_of_tests all;
    all.add("X86 T\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)");
    all.add("C race\n{ }\nP0(int* x) { *x = 1; }\nP1(int* x) { int r0 = *x; }\nexists (1:r0=1)");
    all.add("C bad\n{ }\nP0(no_such_t* x) { *x = 1; }\nexists (x=1)");
    all.add("C good\n{ }\nP0(int* x) { *x = 1; }\nexists (x=1)");
    all.add("C call\n{ }\nP0(__int128* x) { *x = 1; }\nexists (x=1)");
    const ran r = run(all.files, {"g++ -O2", "ringproof-no-such-compiler"});
    INFO(r.log);
    REQUIRE(r.result.absent.size() == 1);
    CHECK(r.result.absent[0].find("was not found: install it") != std::string::npos);
    REQUIRE(r.result.compilers.size() == 1);
    const tally& t = r.result.compilers[0];
    CHECK(t.tests == 5);
    CHECK(t.consistent == 1);
    CHECK(t.skipped == 1);
    CHECK(t.inconclusive == 1);
    CHECK(t.errors == 2);
    CHECK(r.results[0]["message"].get<std::string>().find("--compile takes tests in C, this one is in X86") !=
          std::string::npos);
    CHECK(r.results[1]["message"] == "the test has undefined behaviour (data-race): any outcome is right");
    CHECK(r.results[2]["message"].get<std::string>().find("the compiler refuses it: ") == 0);
    CHECK(r.results[3]["verdict"] == "consistent");
    CHECK(r.results[4]["message"].get<std::string>().find("the compiled code cannot be ") == 0);
}

TEST_CASE("tests in the kernel's words and loops of the test are compiled and compared") {
    files_of_tests all;
    all.add("C MP\n{ }\nP0(int* x, int* y) {\n WRITE_ONCE(*x, 1);\n smp_wmb();\n WRITE_ONCE(*y, 1);\n}\n"
            "P1(int* x, int* y) {\n int r0 = READ_ONCE(*y);\n smp_rmb();\n int r1 = READ_ONCE(*x);\n}\n"
            "exists (1:r0=1 /\\ 1:r1=0)\n");
    all.add("C wait\n{ }\nP0(int* x, atomic_int* y) {\n *x = 1;\n atomic_store_explicit(y, 1, "
            "memory_order_release);\n}\n"
            "P1(int* x, atomic_int* y) {\n while (atomic_load_explicit(y, memory_order_acquire) == 0) ;\n "
            "int r1 = *x;\n}\n"
            "exists (1:r1=0)\n");
    const ran r = run(all.files, present());
    INFO(r.log);
    for (const tally& t : r.result.compilers) CHECK(t.consistent == 2);
    CHECK(r.results[0]["model"] == "lkmm");
    CHECK(r.results[present().size()]["message"].get<std::string>().find(
              "(loops go round at most 2 times)") != std::string::npos);
}
