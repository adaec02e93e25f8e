// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many jobs that have nothing to do with each other, divided among commands: `--shard K/N` does every N-th of them.

#include <ringproof/command/document.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library has named it
class App;
class Option;
} // namespace CLI

namespace ringproof::command {

/// Share `number` of `of`, counted from 1.
struct shard {
    std::size_t number = 1, of = 1;

    /// @param job counted from 0
    bool has(std::size_t job) const { return job % of == number - 1; }
};

/// "2/5". @throws std::invalid_argument when it is none, or its number is above the count
shard shard_from(std::string_view text);

/// Adds --shard. @param jobs what is divided, in the plural, for the help
CLI::Option* add_shard_option(CLI::App& app, std::optional<shard>& to, std::string_view jobs);

/// Those of `all` that are this command's, in their order; all where there are no shards.
template <class Job>
std::vector<Job> of_shard(const std::vector<Job>& all, const std::optional<shard>& mine) {
    if (!mine) return all;
    std::vector<Job> kept;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (mine->has(i)) kept.push_back(all[i]);
    return kept;
}

/// What a document says of its shard: {"number":2,"of":5,"jobs":17,"division":"…"}. The division is a checksum of the
/// names of all jobs, in their order, so that shards of different work are not put together.
json to_json(const shard& mine, const std::vector<std::string>& names);

/// Refuses documents that have shards where one is missing, given twice or of other work. Documents without a shard
/// may be among them. @param files names of the documents
/// @throws std::invalid_argument with a sentence
void check_shards(const std::vector<std::string>& files, const std::vector<json>& documents);

} // namespace ringproof::command
