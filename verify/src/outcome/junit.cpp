// SPDX-License-Identifier: Apache-2.0
// JUnit's XML as CI systems read it: one case per scenario and model.

#include "results.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/repository.hpp>

#include <fmt/format.h>

namespace ringproof::verify {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\n':
            out += "&#10;";
            break;
        default:
            // XML 1.0 has no way to write other control characters.
            out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
        }
    return out;
}

std::string text_of(const outcome& o) {
    std::string text = fmt::format("{} under {}: {} executions, {} blocked\n", verdict_name(o.verdict),
                                   model_name(o.model), o.result.executions, o.result.blocked);
    if (o.example)
        text += fmt::format("{}: {}\n{}replay: {}\n", o.example->kind, o.example->message,
                            columns(*o.example, true), o.example->replay);
    return text;
}

std::string case_of(const outcome& o) {
    std::string xml = fmt::format(
        "  <testcase classname=\"verify.{}\" name=\"{}\" file=\"{}\" line=\"{}\" time=\"{:.3f}\">",
        model_name(o.model), escaped(o.what->name), escaped(command::path_in_results(o.what->file)),
        o.what->line, o.result.seconds);
    if (!o.ok()) {
        if (o.verdict == verdict::skipped)
            return xml + fmt::format("<skipped message=\"{}\"/></testcase>\n", escaped(o.message));
        const std::string_view tag = o.verdict == verdict::error ? "error" : "failure";
        std::string message = o.message;
        if (message.empty() && o.example) message = o.example->message;
        if (message.empty())
            message = fmt::format("{}, where {} is expected", verdict_name(o.verdict),
                                  o.expected ? verdict_name(*o.expected) : "a verdict");
        xml += fmt::format("\n    <{} type=\"{}\" message=\"{}\">{}</{}>\n  ", tag, verdict_name(o.verdict),
                           escaped(message), escaped(text_of(o)), tag);
    }
    return xml + "</testcase>\n";
}

} // namespace

void write_junit(const std::vector<outcome>& outcomes, const std::string& path) {
    std::size_t failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    std::string cases;
    for (const outcome& o : outcomes) {
        seconds += o.result.seconds;
        if (!o.ok())
            ++(o.verdict == verdict::error ? errors : o.verdict == verdict::skipped ? skipped : failures);
        cases += case_of(o);
    }
    const std::string xml =
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<testsuite name=\"ringproof verify\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
                    "skipped=\"{}\" time=\"{:.3f}\">\n{}</testsuite>\n",
                    outcomes.size(), failures, errors, skipped, seconds, cases);
    command::write_text(xml, path);
}

} // namespace ringproof::verify
