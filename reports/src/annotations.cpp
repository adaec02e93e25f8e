// SPDX-License-Identifier: Apache-2.0
#include "annotations.hpp"

#include "finding.hpp"

#include <fmt/format.h>

namespace ringproof::report {
namespace {

/// A line of the log must not be able to begin a command of its own.
std::string escaped(std::string_view text, bool property) {
    std::string made;
    for (const char c : text)
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            made += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else
            made += c;
    return made;
}

} // namespace

std::string to_annotations(const summary& all) {
    std::string text;
    for (const finding& f : findings_of(all)) {
        std::string properties;
        // GitHub knows the files of the repository only.
        if (!f.file.empty() && !f.file.starts_with('/'))
            properties = fmt::format("file={},line={},", escaped(f.file, true), f.line > 0 ? f.line : 1);
        text += fmt::format("::{} {}title={}::{}\n", f.warning ? "warning" : "error", properties,
                            escaped(fmt::format("ringproof: {}", f.kind->title), true),
                            escaped(f.message, false));
    }
    return text;
}

} // namespace ringproof::report
