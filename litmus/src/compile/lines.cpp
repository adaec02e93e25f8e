// SPDX-License-Identifier: Apache-2.0
#include "lines.hpp"
#include "../parse/text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <sstream>

namespace ringproof::litmus::compiled {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
    return s;
}

bool is_number(std::string_view s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Directives that put bytes where instructions stand.
bool is_data(std::string_view name) {
    static constexpr std::string_view all[] = {
        ".byte",  ".short", ".hword", ".2byte",  ".word", ".long", ".4byte", ".int",  ".quad",  ".xword",
        ".8byte", ".dword", ".ascii", ".string", ".inst", ".insn", ".zero",  ".skip", ".space", ".set"};
    return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

class splitter {
  public:
    splitter(std::string_view comment, std::string_view prefix) : comment_(comment), prefix_(prefix) {}

    std::map<std::string, code> split(const std::string& assembly) {
        std::istringstream in(assembly);
        for (std::string text; std::getline(in, text);) {
            ++line_;
            std::string_view rest = trimmed(text);
            if (rest.starts_with("#")) continue; // a comment, or #APP, on every machine
            if (const std::size_t end = rest.find(comment_); end != std::string_view::npos)
                rest = trimmed(rest.substr(0, end));
            while (!rest.empty()) { // statements are separated by semicolons
                const std::size_t end = std::min(rest.find(';'), rest.size());
                statement(trimmed(rest.substr(0, end)));
                rest = end < rest.size() ? trimmed(rest.substr(end + 1)) : std::string_view();
            }
        }
        return std::move(functions_);
    }

  private:
    void statement(std::string_view text) {
        for (std::size_t end; (end = label_end(text)) != 0; text = trimmed(text.substr(end + 1)))
            label(std::string(text.substr(0, end)));
        if (text.empty()) return;
        const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
        const std::string name = lower(std::string(text.substr(0, blank)));
        const std::string_view arguments = trimmed(text.substr(blank));
        if (name == ".size" && current_ && arguments.starts_with(name_)) current_ = nullptr;
        if (!current_ || (name[0] == '.' && !is_data(name))) return;
        instruction(name, arguments, text);
    }

    /// The length of a label that the text begins with; 0: there is none.
    static std::size_t label_end(std::string_view text) {
        std::size_t end = 0;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                     text[end] == '_' || text[end] == '.' || text[end] == '$'))
            ++end;
        return end < text.size() && text[end] == ':' ? end : 0;
    }

    void label(const std::string& name) {
        if (name.starts_with(prefix_) && name.find('.') == std::string::npos) {
            name_ = name;
            current_ = &functions_[name];
            numbers_.clear();
        } else if (current_) {
            code_line l;
            l.label = is_number(name) ? numbered(name, ++numbers_[name]) : name;
            l.line = line_;
            current_->push_back(std::move(l));
        }
    }

    static std::string numbered(const std::string& number, int which) {
        return fmt::format(".number.{}.{}", number, which);
    }

    void instruction(std::string name, std::string_view arguments, std::string_view text) {
        code_line l;
        l.line = line_;
        l.text = text;
        while (name == "lock" || name == "rep" || name == "repz") {
            const std::size_t blank = std::min(arguments.find_first_of(" \t"), arguments.size());
            const std::string next = lower(std::string(arguments.substr(0, blank)));
            if (name == "lock")
                name.append(" ").append(next);
            else
                name = next;
            arguments = trimmed(arguments.substr(blank));
        }
        l.name = name;
        std::string operand;
        int depth = 0;
        const auto finish = [&] {
            std::string one(trimmed(operand));
            if (one.size() > 1 && is_number(std::string_view(one).substr(0, one.size() - 1)) &&
                (one.back() == 'b' || one.back() == 'f')) {
                const bool forward = one.back() == 'f';
                one.pop_back();
                one = numbered(one, numbers_[one] + (forward ? 1 : 0));
            }
            if (!one.empty()) l.operands.push_back(std::move(one));
            operand.clear();
        };
        for (const char c : arguments) {
            if (c == ',' && depth == 0) {
                finish();
                continue;
            }
            if (c == '[' || c == '(') ++depth;
            if (c == ']' || c == ')') --depth;
            operand += c;
        }
        finish();
        current_->push_back(std::move(l));
    }

    std::string_view comment_, prefix_;
    std::map<std::string, code> functions_;
    code* current_ = nullptr;
    std::string name_; ///< of the function at hand
    std::map<std::string, int> numbers_;
    std::size_t line_ = 0;
};

} // namespace

void code_line::refuse(std::string_view why) const {
    throw unreadable(fmt::format("line {} of the assembly, '{}': {}", line, text, why));
}

std::map<std::string, code> split_functions(const std::string& assembly, std::string_view comment,
                                            std::string_view prefix) {
    return splitter(comment, prefix).split(assembly);
}

} // namespace ringproof::litmus::compiled
