// SPDX-License-Identifier: Apache-2.0
#pragma once
// Validates a document against a JSON Schema (draft-07), for the keywords our schemas use:
// type enum const required properties additionalProperties items minItems maxItems minimum
// minLength and $ref to #/definitions. A schema with any other keyword is refused, so that
// nothing in a schema can go unchecked. Debian 12 packages no validator for C++.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ringproof::report {

using json = nlohmann::ordered_json;

struct violation {
    std::string where; ///< JSON pointer, e.g. "/results/3/verdict"; "" is the document itself
    std::string what;  ///< "is \"maybe\", must be one of \"verified\", \"refuted\""
    friend bool operator==(const violation&, const violation&) = default;
};

/// Every violation, in document order, at most `limit` of them; empty when valid.
/// @throws std::logic_error when the schema uses a keyword or reference that is not supported
std::vector<violation> validate(const json& schema, const json& instance, std::size_t limit = 20);

} // namespace ringproof::report
