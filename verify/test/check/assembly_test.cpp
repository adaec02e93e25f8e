// SPDX-License-Identifier: Apache-2.0
// What a compiler's listing tells: the atomic accesses and the assembly that no hook sees.
#include "../../check/assembly.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

using namespace ringproof::verify;
using strings = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

/// @param body lines of a listing, behind those that name the file and its line 7
read_listing read(const std::string& body) {
    std::string name = (fs::temp_directory_path() / "ringproof-test-listing-XXXXXX").string();
    const int file = mkstemp(name.data());
    REQUIRE(file != -1);
    std::ofstream(name) << "\t.file 1 \"/src\" \"ring.h\"\n\t.loc 1 7 3\n" << body;
    const read_listing listing = look_at(name);
    fs::remove(name);
    return listing;
}

} // namespace

TEST_CASE("an atomic instruction that the compiler wrote itself is out of sight") {
    for (const char* written : {"\tlock\tcmpxchgl\t%edx, (%rdi)\n", "\tmfence\n", "\txchgl\t%eax, (%rdi)\n"})
        CHECK(read(written).unseen == strings{"ring.h:7"});
    for (const char* fine : {"\tcall\t__tsan_atomic32_load@PLT\n", "\tmovl\t(%rdi), %eax\n",
                             "\txchgl\t%eax, %edx\n", "lock:\n", "lock_the_queue:\n", "mfence_count:\n"})
        CHECK(read(fine).unseen.empty());
}

TEST_CASE("inline assembly is out of sight when it touches memory, orders it, or goes elsewhere") {
    for (const char* text :
         {"movl (%rdi), %eax", "nop; mfence", "rep stosb", "call *%rax", "lock; incl x", "1: lock; incl x",
          "2:\tmovl (%rdi,%rsi,4), %eax", "incl x", "movq %fs:8, %rax", "mov eax, [rdi]"})
        CHECK(read(std::string("#APP\n\t") + text + "\n#NO_APP\n").unseen == strings{"ring.h:7"});
    for (const char* text :
         {"", "pause", "# a comment", "leaq 4(%rdi), %rax", "bswap %eax", "rep nop", "rep; nop",
          "1:", "jne 1b", "movl $1, %eax # into (nothing)", "addq $8, %rsp", "cpuid", "lfence"})
        CHECK(read(std::string("#APP\n\t") + text + "\n#NO_APP\n").unseen.empty());
}

TEST_CASE("a listing tells whether its source gives up, and whether it uses memory resources") {
    CHECK(read("\tcall\tabort@PLT\n").gives_up);
    CHECK(read("\tjmp\t*exit@GOTPCREL(%rip)\n").gives_up);
    CHECK_FALSE(read("\tcall\taborts_never\n").gives_up);
    CHECK(read("\tcall\t_ZNSt3pmr25monotonic_buffer_resource18_M_new_bufferEmm\n").memory_resources);
    CHECK_FALSE(read("\tcall\t_ZNSt3pmr20new_delete_resourceEv\n").memory_resources);
}

TEST_CASE("a listing tells of which version of Catch2 its test cases are") {
    CHECK(
        read(
            "\tcall\t_ZN5Catch7AutoRegC1ENS_6Detail10unique_ptrINS_12ITestInvokerEEERKNS_14SourceLineInfoE\n")
            .catch2_version3);
    CHECK_FALSE(
        read("\tcall\t_ZN5Catch7AutoRegC1EPNS_12ITestInvokerERKNS_14SourceLineInfoE\n").catch2_version3);
}
