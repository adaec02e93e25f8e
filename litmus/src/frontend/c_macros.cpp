// SPDX-License-Identifier: Apache-2.0
#include "c_macros.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::c {
namespace {

/// An expansion that grows beyond this is a macro file made to explode, and no test.
constexpr std::size_t most_words = 100'000;
constexpr std::size_t deepest = 50;

} // namespace

void macros::add(const source& file) {
    const std::vector<token> words = tokens_of(file, {0, file.text.size()});
    std::size_t at = 0;
    const auto fail = [&](std::string_view what) {
        throw syntax_error(file, words[at].offset,
                           words[at].text.empty()
                               ? fmt::format("expected {}, found the end", what)
                               : fmt::format("expected {}, found '{}'", what, words[at].text));
    };
    const auto expect = [&](std::string_view sign) {
        if (words[at].text != sign) fail(fmt::format("'{}'", sign));
        ++at;
    };
    while (!words[at].text.empty()) {
        if (!words[at].is_word) fail("the name of a macro");
        const std::string name = words[at++].text;
        macro m;
        expect("(");
        while (words[at].text != ")") {
            if (!words[at].is_word) fail("a parameter or ')'");
            m.parameters.push_back(words[at++].text);
            if (words[at].text == ",")
                ++at;
            else if (words[at].text != ")")
                fail("',' or ')'");
        }
        const std::size_t line_end = std::min(file.text.find('\n', words[at].offset), file.text.size());
        ++at;
        if (words[at].text == "{") {
            m.is_statement = true;
            for (int depth = 0;;) {
                if (words[at].text.empty()) fail("'}'");
                depth += words[at].text == "{" ? 1 : words[at].text == "}" ? -1 : 0;
                m.body.push_back(words[at++]);
                if (depth == 0) break;
            }
            // `{ __xchg{mb}(X,Y) }`: braces around an expression, as some of herd7's own files have it.
            if (m.body.size() > 2 && m.body[m.body.size() - 2].text == ")") {
                m.is_statement = false;
                m.body.erase(m.body.begin());
                m.body.pop_back();
            }
        } else {
            while (!words[at].text.empty() && words[at].offset < line_end) m.body.push_back(words[at++]);
            if (m.body.empty()) fail("what the macro stands for");
        }
        defined_[name] = std::move(m);
    }
}

/// One function's words on their way through the macros.
class expansion {
  public:
    expansion(const macros& m, const source& test) : macros_(m), test_(test) {}

    std::vector<token> run(const std::vector<token>& words) {
        std::vector<token> out;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto found =
                words[i].is_word ? macros_.defined_.find(words[i].text) : macros_.defined_.end();
            const bool called =
                found != macros_.defined_.end() && i + 1 < words.size() && words[i + 1].text == "(";
            if (!called || std::find(open_.begin(), open_.end(), words[i].text) != open_.end()) {
                out.push_back(words[i]);
                continue;
            }
            const token& use = words[i];
            std::size_t end = i + 1;
            const std::vector<std::vector<token>> arguments = arguments_of(words, end);
            const auto& m = found->second;
            if (arguments.size() != m.parameters.size())
                throw syntax_error(test_, use.offset,
                                   fmt::format("macro '{}' takes {} arguments, found {}", use.text,
                                               m.parameters.size(), arguments.size()));
            std::vector<token> body = substituted(m.body, m.parameters, arguments, use.offset);
            if (open_.size() == deepest)
                throw syntax_error(test_, use.offset, "macros are nested too deeply");
            open_.push_back(use.text);
            body = run(body);
            open_.pop_back();
            out.insert(out.end(), body.begin(), body.end());
            i = end;
            // The statement is whole: the semicolon after it would end an `if` before its `else`.
            if (m.is_statement && i + 1 < words.size() && words[i + 1].text == ";") ++i;
            if (out.size() > most_words)
                throw syntax_error(test_, use.offset, "what the macros make of this is too long");
        }
        return out;
    }

  private:
    /// From the opening parenthesis at `at`, which is moved to the closing one.
    std::vector<std::vector<token>> arguments_of(const std::vector<token>& words, std::size_t& at) const {
        const std::size_t begin = at;
        std::vector<std::vector<token>> all(1);
        int depth = 0;
        for (;; ++at) {
            if (at == words.size() || words[at].text.empty())
                throw syntax_error(test_, words[begin].offset, "this parenthesis is never closed");
            const std::string& text = words[at].text;
            if (text == "(" && ++depth == 1) continue;
            if (text == ")" && --depth == 0) break;
            if (text == "," && depth == 1)
                all.emplace_back();
            else
                all.back().push_back(words[at]);
        }
        if (all.size() == 1 && all[0].empty()) all.clear();
        return all;
    }

    static std::vector<token> substituted(const std::vector<token>& body,
                                          const std::vector<std::string>& parameters,
                                          const std::vector<std::vector<token>>& arguments,
                                          std::size_t offset) {
        std::vector<token> out;
        for (token t : body) {
            const auto parameter = std::find(parameters.begin(), parameters.end(), t.text);
            t.offset = offset;
            if (!t.is_word || parameter == parameters.end()) {
                out.push_back(std::move(t));
                continue;
            }
            const std::vector<token>& a = arguments[static_cast<std::size_t>(parameter - parameters.begin())];
            if (a.size() != 1) out.push_back({"(", offset, false, false});
            out.insert(out.end(), a.begin(), a.end());
            if (a.size() != 1) out.push_back({")", offset, false, false});
        }
        return out;
    }

    const macros& macros_;
    const source& test_;
    std::vector<std::string> open_;
};

std::vector<token> macros::expanded(const source& test, std::vector<token> words) const {
    return defined_.empty() ? words : expansion(*this, test).run(words);
}

} // namespace ringproof::litmus::c
