// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/argument_error.hpp>
#include <ringproof/command/mistyped.hpp>

#include <cstdlib>
#include <fmt/format.h>
#include <regex>
#include <vector>

namespace ringproof::command {
namespace {

using match = std::match_results<std::string_view::const_iterator>;

bool matches(std::string_view text, match& m, const char* pattern) {
    return std::regex_match(text.begin(), text.end(), m, std::regex(pattern));
}

std::vector<std::string> words_of(const std::string& list) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        words.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

/// "0.001000" as "0.001", "60.000000" as "60", "1e+06" as "1000000".
std::string shortest(std::string number) {
    if (number.find('e') != std::string::npos) return fmt::format("{}", std::strtod(number.c_str(), nullptr));
    if (number.find('.') == std::string::npos) return number;
    number.resize(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return number;
}

/// What a type of the library is to a user.
std::string value_named(const std::string& type) {
    const std::string name = type.substr(0, type.find(':'));
    if (name == "UINT" || name == "INT" || name == "FLOAT") return "N";
    return name == "TEXT" || name.empty() ? "VALUE" : name;
}

} // namespace

std::string argument_sentence(std::string_view kind, std::string_view what) {
    match m;
    if (kind == "ValidationError" && matches(what, m, R"(([^:]+): ([^]*) not in \{([^}]*)\})")) {
        const std::vector<std::string> words = words_of(m.str(3));
        const std::vector<std::string_view> known(words.begin(), words.end());
        return fmt::format("{}: '{}' is none of {}{}", m.str(1), m.str(2), fmt::join(words, ", "),
                           suggestion(m.str(2), known));
    }
    // CLI11 2.3 and earlier write "range 1 to 9", later releases "range [1 - 9]".
    if (kind == "ValidationError" &&
        matches(what, m, R"(([^:]+): Value ([^]*) not in range \[?(.+?) (?:to|-) ([^\]]+)\]?)")) {
        const std::string given = fmt::format("{}: '{}' is not a number", m.str(1), m.str(2));
        // "Any positive number" is a range to the largest one that there is.
        if (std::strtod(m.str(4).c_str(), nullptr) > 1e300) return given + " above 0";
        return fmt::format("{} from {} to {}", given, shortest(m.str(3)), shortest(m.str(4)));
    }
    if (kind == "ValidationError" && matches(what, m, R"(([^:]+): Directory does not exist: ([^]*))"))
        return fmt::format("{}: there is no folder {}", m.str(1), m.str(2));
    if (kind == "ConversionError" && matches(what, m, R"(Could not convert: (.+?) = ([^]*))"))
        return fmt::format("{}: '{}' is not a number that fits", m.str(1), m.str(2));
    if (kind == "ArgumentMismatch" && matches(what, m, R"((.+): \d+ required (.*) missing)"))
        return fmt::format("{} needs a value: {} {}", m.str(1), m.str(1), value_named(m.str(2)));
    if (kind == "RequiredError" && matches(what, m, R"((.+) is required)"))
        return fmt::format("{} is missing", m.str(1));
    if (kind == "ExcludesError" && matches(what, m, R"((.+) excludes (.+))"))
        return fmt::format("{} and {} cannot be given together", m.str(1), m.str(2));
    if (kind == "RequiresError" && matches(what, m, R"((.+) requires (.+))"))
        return fmt::format("{} is only for {}", m.str(1), m.str(2));
    // The library calls this one by the name of the command.
    if (matches(what, m, R"(The following arguments? (?:was|were) not expected: ([^]*))"))
        return fmt::format("'{}' is not expected here", m.str(1));
    return std::string(what);
}

} // namespace ringproof::command
