// SPDX-License-Identifier: Apache-2.0
// Loops in assembly that keep what they saw last in ebx, and behind them code in which it is overwritten unread if a number, a
// flag or a copy is taken for what it is not. Each returns what the loop saw, so none of it is dead.

#include "dead_numbers.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <thread>

#if defined(__x86_64__)
using enum std::memory_order;

extern "C" {
std::atomic<int> dead_numbers_data, dead_numbers_ready;
int dead_numbers_one = 1, dead_numbers_wide = 256; // variables, whatever they hold
int* dead_numbers_kept;
int dead_numbers_words[4];
extern const char dead_numbers_text[] = "7", dead_numbers_list[] = "1 2 3 4 6",
                  dead_numbers_format[] = "%d %d %d %d %d";
void dead_numbers_change_kept();
}

/// No access that the checker sees.
[[gnu::noinline, gnu::no_sanitize_thread]] void dead_numbers_change_kept() { *dead_numbers_kept = 6; }

// A function that loops until `ready`, and does `behind`: that jumps to 3, where ebx is overwritten, or goes on to where it
// is returned. [rsp] is a local. `before` comes before the loop.
#define DEAD_NUMBERS_LOOP(name, before, behind)                                                              \
    extern "C" int dead_numbers_##name();                                                                    \
    asm(".pushsection .text\n"                                                                               \
        ".type dead_numbers_" #name ", @function\n"                                                          \
        ".intel_syntax noprefix\n"                                                                           \
        "dead_numbers_" #name ":\n"                                                                          \
        "push rbp\n mov rbp, rsp\n push rbx\n push r12\n sub rsp, 32\n xor ebx, ebx\n " before "\n jmp 2f\n" \
        "1: lea rdi, dead_numbers_data[rip]\n xor esi, esi\n call __tsan_atomic32_load@PLT\n mov ebx, eax\n" \
        "2: lea rdi, dead_numbers_ready[rip]\n mov esi, 2\n call __tsan_atomic32_load@PLT\n"                 \
        "test eax, eax\n je 1b\n" behind "\n"                                                                \
        "mov eax, ebx\n jmp 4f\n"                                                                            \
        "3: xor eax, eax\n"                                                                                  \
        "4: xor ebx, ebx\n add rsp, 32\n pop r12\n pop rbx\n pop rbp\n ret\n"                                \
        ".att_syntax\n .popsection\n");                                                                      \
    void programs::dead_numbers_##name() { told_behind_a_loop(::dead_numbers_##name); }

namespace {

void told_behind_a_loop(int (*loop)()) {
    dead_numbers_data = 0, dead_numbers_ready = 0;
    int told = 0;
    std::thread waiting([&] { told = loop(); });
    std::thread writing([] {
        dead_numbers_data.store(dead_numbers_data.load(relaxed) + 1, relaxed);
        dead_numbers_ready.store(1, release);
    });
    waiting.join();
    writing.join();
    VERIFY_THAT(told != 1);
}

} // namespace

/// What a call returns is not what was in the register.
DEAD_NUMBERS_LOOP(call_returns, "",
                  "mov eax, 5\n lea rdi, dead_numbers_ready[rip]\n mov esi, 2\n call "
                  "__tsan_atomic32_load@PLT\n cmp eax, 5\n je 3f")
/// A register is written.
DEAD_NUMBERS_LOOP(register_is_written, "", "mov ecx, 5\n mov ecx, dead_numbers_one[rip]\n cmp ecx, 5\n je 3f")
/// A local is written.
DEAD_NUMBERS_LOOP(local_is_written, "",
                  "mov dword ptr [rsp], 5\n mov ecx, dead_numbers_one[rip]\n mov [rsp], "
                  "ecx\n cmp dword ptr [rsp], 5\n je 3f")
/// A byte of a local is written.
DEAD_NUMBERS_LOOP(byte_of_a_local_is_written, "",
                  "mov dword ptr [rsp], 5\n mov byte ptr [rsp + 1], 1\n cmp dword ptr [rsp], 5\n je 3f")
/// A local is written by the address that memory holds of it.
DEAD_NUMBERS_LOOP(local_is_known_to_others, "lea rcx, [rsp]\n mov dead_numbers_kept[rip], rcx\n xor ecx, ecx",
                  "mov dword ptr [rsp], 5\n call dead_numbers_change_kept\n cmp dword ptr [rsp], 5\n je 3f")
/// An addition sets flags after a comparison did.
DEAD_NUMBERS_LOOP(arithmetic_sets_flags, "",
                  "mov ecx, 5\n mov edx, dead_numbers_one[rip]\n cmp ecx, 5\n add edx, 1\n je 3f")
/// A negative number is widened.
DEAD_NUMBERS_LOOP(number_is_negative, "",
                  "mov dword ptr [rsp], -2\n movsxd rcx, dword ptr [rsp]\n cmp rcx, -2\n jne 3f")
/// A copy in a register is returned.
DEAD_NUMBERS_LOOP(register_is_copied, "", "mov ecx, ebx\n xor ebx, ebx\n mov eax, ecx\n jmp 4f")
/// A copy on the stack is returned.
DEAD_NUMBERS_LOOP(local_is_copied, "", "mov [rsp], ebx\n xor ebx, ebx\n mov eax, [rsp]\n jmp 4f")
/// A flag decides what is returned.
DEAD_NUMBERS_LOOP(flag_decides, "", "cmp ebx, 1\n mov ebx, 0\n jne 3f\n mov eax, 1\n jmp 4f")
/// A flag is returned.
DEAD_NUMBERS_LOOP(flag_is_kept, "", "cmp ebx, 1\n mov ebx, 0\n sete al\n movzx eax, al\n jmp 4f")
/// A flag chooses what is returned.
DEAD_NUMBERS_LOOP(flag_chooses, "",
                  "mov eax, 0\n mov ecx, 1\n cmp ebx, 1\n mov ebx, 0\n cmove eax, ecx\n jmp 4f")
/// A function of a library is given it.
DEAD_NUMBERS_LOOP(argument_of_a_library, "", "mov edi, ebx\n xor ebx, ebx\n call abs@PLT\n jmp 4f")
/// A byte of a register is written.
DEAD_NUMBERS_LOOP(byte_is_written, "", "mov ecx, dead_numbers_wide[rip]\n mov cl, 5\n cmp ecx, 5\n je 3f")
/// Five is not above five.
DEAD_NUMBERS_LOOP(numbers_are_equal, "", "mov ecx, 5\n cmp ecx, 5\n ja 3f")
/// A library function writes to an address that it gets.
DEAD_NUMBERS_LOOP(library_writes_a_local, "",
                  "mov dword ptr [rsp], 5\n lea rdi, dead_numbers_text[rip]\n lea rsi, [rsp]\n mov edx, 10\n "
                  "call strtol@PLT\n cmp dword ptr [rsp], 5\n je 3f")
/// The same by an address that is passed on the stack.
DEAD_NUMBERS_LOOP(
    library_is_given_a_local_on_the_stack, "",
    "lea rcx, [rsp]\n mov dword ptr [rsp], 5\n sub rsp, 16\n mov [rsp], rcx\n xor ecx, ecx\n lea rdi, "
    "dead_numbers_list[rip]\n lea rsi, dead_numbers_format[rip]\n lea rdx, dead_numbers_words[rip]\n lea "
    "rcx, dead_numbers_words[rip + 4]\n lea r8, dead_numbers_words[rip + 8]\n lea r9, dead_numbers_words[rip "
    "+ 12]\n xor eax, eax\n call sscanf@PLT\n add rsp, 16\n cmp dword ptr [rsp], 5\n je 3f")
/// A compare-exchange that fails writes what it saw.
DEAD_NUMBERS_LOOP(
    exchange_writes_what_it_saw, "",
    "mov dword ptr [rsp], 5\n lea rdi, dead_numbers_ready[rip]\n lea rsi, [rsp]\n mov edx, 1\n xor ecx, "
    "ecx\n xor r8d, r8d\n call __tsan_atomic32_compare_exchange_strong@PLT\n cmp dword ptr [rsp], 5\n je 3f")
/// An address is written to a variable, and what is there by that.
DEAD_NUMBERS_LOOP(address_is_lost, "",
                  "mov dword ptr [rsp], 5\n lea rcx, [rsp]\n mov dead_numbers_kept[rip], rcx\n xor ecx, "
                  "ecx\n call dead_numbers_change_kept\n cmp dword ptr [rsp], 5\n je 3f")

#endif
