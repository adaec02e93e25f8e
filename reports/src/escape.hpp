// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names in results come from anywhere. Each format has its own way to make them plain text.

#include <string>
#include <string_view>

namespace ringproof::report {

/// XML 1.0 text and attributes, and HTML. What XML cannot carry at all becomes U+FFFD.
std::string escape_xml(std::string_view text);

/// One line of Markdown, also inside a table.
std::string escape_markdown(std::string_view text);

/// JSON that may stand inside <script>: no <, >, & and no U+2028 or U+2029 are left in it.
std::string escape_script(std::string_view json_text);

/// A word of a command line as a POSIX shell reads it.
std::string escape_shell(std::string_view word);

/// The path part of a URI; '/' stays.
std::string escape_uri_path(std::string_view path);

} // namespace ringproof::report
