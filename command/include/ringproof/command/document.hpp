// SPDX-License-Identifier: Apache-2.0
#pragma once
// The common head of every result document, and writing one so that nothing is lost:
// {"schema":…,"tool":{…},"environment":{…},"invocation":[…],"results":[]}

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::command {

using json = nlohmann::ordered_json;

/// "0.1.0"
std::string_view version();
/// What `--version` prints: "ringproof 0.1.0 (3e3c5fa0b1c2)", with the commit where it is known.
std::string version_line();

/// A document of `schema` (e.g. "ringproof-verify/1") with tool, environment (kernel, CPU model,
/// number of CPUs, compiler, hypervisor if any, date in UTC) and invocation filled in, and empty results.
json make_document(std::string_view schema, const std::vector<std::string>& invocation);

/// Writes `document` to `path` as write_text() does. @throws file_error naming the path and the reason
void write_document(const json& document, const std::string& path);

/// Reads a document. @throws file_error "path:line:column: what was expected"
json read_document(const std::string& path);

} // namespace ringproof::command
