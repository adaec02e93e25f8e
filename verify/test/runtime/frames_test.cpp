// SPDX-License-Identifier: Apache-2.0
// The checker tells a waiting loop by the program's registers, which a hook's frame holds: see
// RINGPROOF_PROGRAM_FRAME. A hook that ends in a jump has given that frame up by the time it is looked at. No
// execution shows it reliably, so the machine code is looked at.

#include <catch2/catch.hpp>

#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#if defined(__x86_64__)

extern "C" int ringproof_test_returns(int);
extern "C" int ringproof_test_ends_in_a_jump(int);
extern "C" int ringproof_test_ends_in_a_jump_through_a_table(int);

asm(R"(
    .text
    .type ringproof_test_returns, @function
ringproof_test_returns:
    test %edi, %edi
    je 1f
    push %rbp
    call abs@PLT
    pop %rbp
1:  ret
    .size ringproof_test_returns, .-ringproof_test_returns
    .type ringproof_test_ends_in_a_jump, @function
ringproof_test_ends_in_a_jump:
    push %rbp
    pop %rbp
    jmp abs@PLT
    .size ringproof_test_ends_in_a_jump, .-ringproof_test_ends_in_a_jump
    .type ringproof_test_ends_in_a_jump_through_a_table, @function
ringproof_test_ends_in_a_jump_through_a_table:
    push %rbp
    pop %rbp
    jmp *abs@GOTPCREL(%rip)
    .size ringproof_test_ends_in_a_jump_through_a_table, .-ringproof_test_ends_in_a_jump_through_a_table
)");

namespace {

struct disassembly {
    bool there = false; ///< false: no objdump
    std::set<std::string> functions;
    std::map<std::string, std::string> jumps; ///< function -> an instruction that leaves it for good
};

/// The functions of `file` whose name `wanted` says, and which of them end in a jump.
template <class Predicate>
disassembly disassemble(const std::string& file, Predicate wanted) {
    disassembly all;
    FILE* const out =
        popen(("objdump -d --no-show-raw-insn -j .text '" + file + "' 2>/dev/null").c_str(), "r");
    if (!out) return all;
    std::string current; // empty: a function that is not looked at
    bool first = false;
    char line[4096];
    while (std::fgets(line, sizeof line, out)) {
        all.there = true;
        const std::string_view text = line;
        const auto name_at = text.find('<');
        if (text.ends_with(">:\n") && name_at != text.npos) {
            const std::string name(text.substr(name_at + 1, text.size() - name_at - 4));
            current = wanted(name) ? name : "";
            if (!current.empty()) all.functions.insert(current);
            first = true;
            continue;
        }
        const auto jump = text.find("\tj");
        if (current.empty() || text.find('\t') == text.npos) continue;
        const bool alone = first; // the whole function is another name of the one it jumps to
        first = false;
        if (jump == text.npos) continue;
        if (name_at == text.npos) { // through a register: a switch
            if (text.find("(%rip)") != text.npos) all.jumps[current] = text;
            continue;
        }
        std::string target(text.substr(name_at + 1, text.find_first_of("+>", name_at) - name_at - 1));
        const bool memory = text.find('*') != text.npos;
        if (!memory && (target == current || target == current + ".cold" || (alone && wanted(target))))
            continue;
        all.jumps[current] = text;
    }
    pclose(out);
    return all;
}

} // namespace

TEST_CASE("a function that ends in a jump is noticed, and one that returns is not") {
    const disassembly own =
        disassemble(std::filesystem::canonical("/proc/self/exe"),
                    [](const std::string& name) { return name.starts_with("ringproof_test_"); });
    if (!own.there) {
        WARN("skipped: there is no objdump");
        return;
    }
    CHECK(own.functions.size() == 3);
    CHECK(own.jumps.count("ringproof_test_returns") == 0);
    CHECK(own.jumps.count("ringproof_test_ends_in_a_jump") == 1);
    CHECK(own.jumps.count("ringproof_test_ends_in_a_jump_through_a_table") == 1);
}

TEST_CASE("no hook of the checker ends in a jump, which would give up the program's registers") {
    void* const hook = dlsym(RTLD_DEFAULT, "__tsan_atomic32_load");
    Dl_info where{};
    REQUIRE(hook);
    REQUIRE(dladdr(hook, &where) != 0);
    const disassembly engine = disassemble(where.dli_fname, [](const std::string& name) {
        return name.find(".cold") == name.npos &&
               (name.starts_with("__tsan_") || name == "__atomic_load" || name == "__atomic_exchange" ||
                name == "__atomic_compare_exchange");
    });
    if (!engine.there) {
        WARN("skipped: there is no objdump");
        return;
    }
    // Loads, stores, 7 read-modify-writes and 3 compare-exchanges of 5 sizes, 8 plain accesses of 5 sizes.
    CHECK(engine.functions.size() >= 100);
    for (const char* needed : {"__tsan_atomic8_load", "__tsan_atomic128_compare_exchange_val",
                               "__tsan_volatile_read4", "__tsan_unaligned_volatile_read8", "__atomic_load"})
        CHECK(engine.functions.count(needed) == 1);
    for (const auto& [function, instruction] : engine.jumps) {
        INFO(function << ": " << instruction);
        CHECK(false);
    }
}

#endif
