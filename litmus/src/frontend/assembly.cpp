// SPDX-License-Identifier: Apache-2.0
#include "assembly.hpp"

#include <charconv>
#include <fmt/format.h>

namespace ringproof::litmus {

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool parse_immediate(std::string_view text, std::int64_t& number) {
    if (!text.empty() && text[0] == '#') text.remove_prefix(1);
    const bool negative = !text.empty() && text[0] == '-';
    if (negative) text.remove_prefix(1);
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hex) text.remove_prefix(2);
    std::uint64_t magnitude = 0;
    const auto [stop, error] =
        std::from_chars(text.data(), text.data() + text.size(), magnitude, hex ? 16 : 10);
    if (text.empty() || error != std::errc() || stop != text.data() + text.size()) return false;
    number = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    return true;
}

std::size_t asm_thread::target(const test& t, const asm_instruction& from, const std::string& label) const {
    for (const auto& [name, index] : labels)
        if (name == label) return index;
    throw syntax_error(t.from, from.offset, fmt::format("there is no label '{}' in this thread", label));
}

asm_thread parse_assembly(const test& t, const std::vector<cell>& cells) {
    asm_thread thread;
    for (const cell& c : cells) {
        scanner in(t.from, c.begin, c.end);
        while (!in.at_end()) {
            const std::size_t at = in.offset();
            const std::string word(in.identifier());
            if (word.empty()) in.expected("an instruction");
            if (in.accept(":")) {
                for (const auto& label : thread.labels)
                    if (label.first == word) in.fail(at, fmt::format("label '{}' is defined twice", word));
                if (thread.labels.size() == most_instructions)
                    in.fail(at, fmt::format("a thread has more than {} labels: not supported",
                                            most_instructions));
                thread.labels.emplace_back(word, thread.code.size());
                continue;
            }
            if (thread.code.size() == most_instructions)
                in.fail(at, fmt::format("a thread has more than {} instructions: not supported",
                                        most_instructions));
            asm_instruction i;
            i.name = lower(word);
            i.offset = at;
            std::string operand;
            int depth = 0;
            const auto finish = [&] {
                while (!operand.empty() && operand.back() == ' ') operand.pop_back();
                if (operand.empty()) in.expected("an operand");
                i.operands.push_back(operand);
                operand.clear();
            };
            while (!in.at_end()) {
                const char next = in.peek();
                in.seek(in.offset() + 1);
                if (next == ',' && depth == 0) {
                    finish();
                    continue;
                }
                if (next == '[' || next == '(') ++depth;
                if (next == ']' || next == ')') --depth;
                operand += next;
            }
            if (!operand.empty() || !i.operands.empty()) finish();
            thread.code.push_back(std::move(i));
        }
    }
    return thread;
}

} // namespace ringproof::litmus
