// SPDX-License-Identifier: Apache-2.0
#include "assembly.hpp"

#include "announce.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

namespace ringproof::verify {
namespace {

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
    return s;
}

/// The first word, which is taken away.
std::string_view take_word(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

/// Whether one operand is memory: not a register (%eax), a constant ($1) or a label of the assembly itself (1b).
bool is_memory(std::string_view operand) {
    operand = trimmed(operand);
    if (operand.empty() || operand.front() == '$') return false;
    if (operand.front() == '%') return operand.find_first_of("(:") != std::string_view::npos; // %fs:8
    return std::isdigit(static_cast<unsigned char>(operand.front())) == 0 ||
           operand.find_first_of("([") != std::string_view::npos;
}

/// One x86 instruction as both compilers write them (AT&T), without comment and label. What reaches memory without
/// an operand that says so is listed.
bool matters(std::string_view instruction) {
    std::string_view mnemonic = take_word(instruction);
    if (mnemonic.starts_with("rep")) mnemonic = take_word(instruction); // of a string move, or of a pause
    if (mnemonic.empty() || mnemonic.front() == '.') return false;
    for (const std::string_view one : {"mfence", "sfence", "lock", "syscall", "sysenter", "int", "call",
                                       "callq", "jmp", "jmpq", "xbegin", "clflush", "clflushopt", "clwb"})
        if (mnemonic == one) return true;
    for (const std::string_view string_move : {"movs", "stos", "cmps", "scas", "lods"})
        if (mnemonic.starts_with(string_move) && instruction.find('%') == std::string_view::npos) return true;
    if (mnemonic.starts_with("lea") || mnemonic.front() == 'j' || mnemonic == "nop") return false;
    for (std::size_t from = 0, end; from < instruction.size(); from = end + 1) {
        end = std::min(instruction.find(',', from), instruction.size());
        if (is_memory(instruction.substr(from, end - from))) return true;
    }
    return false;
}

bool any_matters(std::string_view line) {
    line = line.substr(0, line.find('#'));
    for (std::size_t from = 0; from <= line.size();) {
        const std::size_t end = std::min(line.find(';', from), line.size());
        std::string_view one = trimmed(line.substr(from, end - from));
        for (auto label = one; !one.empty(); one = label) // 1: lock
            if (!take_word(label).ends_with(':')) break;
        if (matters(one)) return true;
        from = end + 1;
    }
    return false;
}

/// Whether a line that the compiler itself wrote is an atomic access or a fence. In instrumented code those are calls;
/// what is left was not instrumented, as clang's max and min are (__sync_fetch_and_umax).
bool is_atomic(std::string_view text) {
    const std::string_view word = text.substr(0, text.find_first_of(" \t;")); // not a label: lock_it:
    return word == "lock" || word == "mfence" ||
           (word.starts_with("xchg") && text.find('(') != std::string_view::npos);
}

/// `.file 3 "/usr/include" "ck_pr.h"`, or with the whole path as one word: the number, and the file's name.
void note_file(const std::string& line, std::map<int, std::string>& files) {
    char* end = nullptr;
    const long number = std::strtol(line.c_str() + line.find(".file") + 5, &end, 10);
    const std::string rest = end;
    const auto first = rest.find('"');
    if (first == std::string::npos) return;
    std::vector<std::string> words;
    for (std::size_t open = first; open != std::string::npos; open = rest.find('"', open)) {
        const auto close = rest.find('"', open + 1);
        if (close == std::string::npos) break;
        words.push_back(rest.substr(open + 1, close - open - 1));
        open = close + 1;
    }
    if (!words.empty())
        files[static_cast<int>(number)] = std::filesystem::path(words.back()).filename().string();
}

/// Whether a line calls, or jumps to, what ends a program that found something wrong.
bool gives_up(std::string_view text) {
    if (text.starts_with("ud2")) return true;
    if (!text.starts_with("call") && !text.starts_with("jmp")) return false;
    const std::size_t space = text.find_first_of(" \t");
    std::string_view called = space == std::string_view::npos ? "" : trimmed(text.substr(space));
    if (called.starts_with('*')) called.remove_prefix(1);
    called = called.substr(0, called.find('@'));
    for (const std::string_view one :
         {"abort", "exit", "_exit", "_Exit", "quick_exit", "reach_error", "__VERIFIER_error", "__cxa_throw"})
        if (called == one) return true;
    return called.find("7testing8UnitTest") != std::string_view::npos ||
           called.find("5Catch") != std::string_view::npos;
}

bool names_memory_resource(std::string_view text) {
    return text.find("NSt3pmr") != std::string_view::npos &&
           (text.find("monotonic_buffer_resource") != std::string_view::npos ||
            text.find("synchronized_pool_resource") != std::string_view::npos);
}

/// What registers a test case of Catch2 version 3; version 2 gives it something else.
bool registers_catch2_version3(std::string_view text) {
    return text.find("_ZN5Catch7AutoRegC1ENS_6Detail10unique_ptr") != std::string_view::npos;
}

} // namespace

read_listing look_at(const std::filesystem::path& listing) {
    std::ifstream in(listing);
    bool gives = false, resources = false, version3 = false;
    std::map<int, std::string> files;
    std::vector<std::pair<int, int>> places; // file and line
    std::pair<int, int> here{0, 0};
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        const std::string_view text = trimmed(line);
        gives = gives || gives_up(text);
        resources = resources || names_memory_resource(text);
        version3 = version3 || registers_catch2_version3(text);
        if (text.starts_with("#APP")) {
            inside = true;
        } else if (text.starts_with("#NO_APP")) {
            inside = false;
        } else if (text.starts_with(".file")) {
            note_file(line, files);
        } else if (text.starts_with(".loc")) {
            char* rest = nullptr;
            const long file = std::strtol(text.data() + 4, &rest, 10);
            here = {static_cast<int>(file), static_cast<int>(std::strtol(rest, nullptr, 10))};
        } else if ((inside ? any_matters(text) : is_atomic(text) || text == not_announced) &&
                   std::find(places.begin(), places.end(), here) == places.end()) {
            places.push_back(here);
        }
    }
    std::vector<std::string> all;
    for (const auto& [file, line] : places) // a file may get its number only behind its first use
        all.push_back((files.count(file) != 0 ? files.at(file) : "unknown") + ":" + std::to_string(line));
    return {all, gives, resources, version3};
}

std::string compiler_of(const std::filesystem::path& listing) {
    std::ifstream in(listing);
    for (std::string line; std::getline(in, line);) {
        const std::string_view text = trimmed(line);
        if (!text.starts_with(".ident")) continue;
        const auto begin = text.find('"'), end = text.rfind('"');
        if (begin == end) continue;
        std::string name(text.substr(begin + 1, end - begin - 1));
        if (name.starts_with("GCC: ")) name.erase(3, 1);
        return name;
    }
    return {};
}

} // namespace ringproof::verify
