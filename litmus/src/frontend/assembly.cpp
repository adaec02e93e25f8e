// SPDX-License-Identifier: Apache-2.0
#include "assembly.hpp"
#include "../parse/text.hpp"

#include <charconv>
#include <fmt/format.h>

namespace ringproof::litmus {

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

/// An identifier, or a label such as .text.
static std::string word_in(scanner& in) {
    const bool dot = in.accept(".");
    return (dot ? "." : "") + std::string(in.identifier());
}

asm_thread parse_assembly(const test& t, const std::vector<cell>& cells) {
    asm_thread thread;
    for (const cell& c : cells) {
        scanner in(t.from, c.begin, c.end);
        while (!in.at_end()) {
            const std::size_t at = in.offset();
            const std::string word = word_in(in);
            if (word.empty()) in.expected("an instruction");
            if (in.accept(":")) {
                if (thread.labels.size() == most_instructions)
                    in.fail(at, fmt::format("a thread has more than {} labels: not supported",
                                            most_instructions));
                thread.labels.define(in, at, word, thread.code.size());
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
