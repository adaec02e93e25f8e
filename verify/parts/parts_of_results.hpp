// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results in files, put in the order of the division that they come from.

#include "../src/division/part.hpp"

#include <ringproof/command/document.hpp>

#include <map>
#include <string>
#include <vector>

namespace ringproof::verify {

/// One result of a document, and where it is from.
struct given_result {
    std::string file;
    command::json result;
    part_of_search part;
};

/// What is known of a search, or of a part of one: a result, or parts of it, or nothing.
struct part_tree {
    const given_result* whole = nullptr;
    std::string division; ///< of the parts
    std::uint32_t count = 0;
    std::map<std::uint32_t, part_tree> parts; ///< by number
};

struct given_results {
    command::json environment = command::json::object(); ///< of the first document
    /// Those of one search under one model together, in the order in which they were met.
    std::vector<std::vector<given_result>> searches;
};

/// @throws std::invalid_argument for a document that is none of the checker's, a part that was changed, or shards of
/// which one is missing, foreign or given twice
given_results read_results(const std::vector<std::string>& files);

/// Was it searched to its end?
bool is_done(const given_result& r);

/// @param of results of one search under one model
/// @throws std::invalid_argument where a part is given twice, or belongs to another division
part_tree tree_of(const std::vector<given_result>& of);

/// "part 3 of 7 of part 2 of 9"
std::string name_of(const part_of_search& part);
/// "NAME under MODEL", by which a search is known
std::string search_of(const std::string& name, const std::string& model);
/// "'NAME' under MODEL"
std::string title_of(const command::json& result);
/// The first few, and how many `more` there are: "a, b and 3 more parts".
std::string listed(const std::vector<std::string>& names, const char* more);

} // namespace ringproof::verify
