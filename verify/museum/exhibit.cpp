// SPDX-License-Identifier: Apache-2.0
#include "exhibit.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <toml++/toml.h>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 14> keys_of_exhibit{
    "title", "bug",   "production", "links",    "url",      "driver", "flags",
    "model", "shows", "options",    "no_after", "found_by", "before", "after"};
constexpr std::array<std::string_view, 3> keys_of_tools{"tsan", "relacy", "genmc"};
constexpr std::array<std::string_view, 7> keys_of_edition{"package", "version", "source", "commit",
                                                          "paths",   "flags",   "files"};

/// Reads one file. Every member function throws command::file_error with the place of what is wrong.
class description {
  public:
    description(std::string shown, fs::path folder) : shown_(std::move(shown)), folder_(std::move(folder)) {}
    exhibit read(const toml::table& file) const;
    [[noreturn]] void fail(const toml::source_region& where, const std::string& what) const {
        throw command::file_error(
            fmt::format("{}:{}:{}: {}", shown_, where.begin.line, where.begin.column, what));
    }

  private:
    void know(const toml::table& table, std::span<const std::string_view> keys) const;
    std::string text(const toml::table& table, std::string_view key) const;
    std::string needed(const toml::table& table, std::string_view key) const;
    std::vector<std::string> texts(const toml::table& table, std::string_view key) const;
    edition read_edition(const toml::table& file, std::string_view key) const;
    std::vector<finder> read_finders(const toml::table& file) const;

    std::string shown_;
    fs::path folder_;
};

void description::know(const toml::table& table, std::span<const std::string_view> keys) const {
    for (const auto& [key, node] : table)
        if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
            const std::string meant = command::suggestion(key.str(), keys);
            fail(key.source(),
                 fmt::format("unknown key '{}'{}", key.str(),
                             meant.empty() ? fmt::format("; known are {}", fmt::join(keys, ", ")) : meant));
        }
}

std::string description::text(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (!node) return "";
    if (!node->is_string()) fail(node->source(), fmt::format("'{}' must be a string", key));
    return node->value_or(std::string());
}

std::string description::needed(const toml::table& table, std::string_view key) const {
    std::string value = text(table, key);
    if (value.empty()) fail(table.source(), fmt::format("'{0}' is missing: add {0} = \"...\"", key));
    return value;
}

std::vector<std::string> description::texts(const toml::table& table, std::string_view key) const {
    std::vector<std::string> all;
    const toml::node* node = table.get(key);
    if (!node) return all;
    const toml::array* array = node->as_array();
    if (!array) fail(node->source(), fmt::format("'{0}' must be an array: {0} = [\"...\"]", key));
    for (const toml::node& one : *array) {
        if (!one.is_string()) fail(one.source(), fmt::format("'{}' must be an array of strings", key));
        all.push_back(one.value_or(std::string()));
    }
    return all;
}

edition description::read_edition(const toml::table& file, std::string_view key) const {
    const toml::node* node = file.get(key);
    const toml::table* table = node ? node->as_table() : nullptr;
    if (!table) fail(file.source(), fmt::format("the table [{}] is missing", key));
    know(*table, keys_of_edition);
    edition made;
    origin& from = made.from;
    from = {text(*table, "package"), text(*table, "version"), text(*table, "source"), text(*table, "commit"),
            texts(*table, "paths")};
    made.flags = texts(*table, "flags");
    made.files = texts(*table, "files");
    if (from.package.empty() && from.source.empty())
        fail(table->source(), fmt::format("[{}] needs 'package' or 'source'", key));
    // With both, the package only has what the clone's files include.
    if (!from.package.empty() && from.source.empty() && from.version.empty())
        fail(table->source(), "'package' needs 'version', how the versions with this code begin");
    // Whole hashes: an abbreviation means another commit some day, and a branch moves.
    if (!from.source.empty() &&
        (from.commit.size() != 40 || from.commit.find_first_not_of("0123456789abcdef") != std::string::npos))
        fail(table->source(), "'source' needs 'commit', with all its 40 hexadecimal digits");
    if (!from.source.empty() && from.paths.empty())
        fail(table->source(), "'source' needs 'paths', the files and folders to take out of the commit");
    return made;
}

std::vector<finder> description::read_finders(const toml::table& file) const {
    std::vector<finder> all;
    const toml::node* node = file.get("found_by");
    if (!node) return all;
    const toml::table* table = node->as_table();
    if (!table) fail(node->source(), "'found_by' must be a table: [found_by], then tsan = 0.7");
    know(*table, keys_of_tools);
    for (const std::string_view tool : keys_of_tools)
        if (const toml::node* one = table->get(tool)) {
            const std::optional<double> seconds = one->value<double>();
            if (!seconds || *seconds < 0) fail(one->source(), fmt::format("'{}' must be seconds", tool));
            all.push_back({std::string(tool), *seconds});
        }
    return all;
}

exhibit description::read(const toml::table& file) const {
    know(file, keys_of_exhibit);
    exhibit made;
    made.name = fs::path(shown_).stem().string();
    made.title = needed(file, "title");
    made.bug = needed(file, "bug");
    made.production = needed(file, "production");
    made.links = texts(file, "links");
    if (made.links.empty()) fail(file.source(), "'links' is missing: where is this bug published?");
    made.url = text(file, "url");
    made.driver = (folder_ / needed(file, "driver")).string();
    if (!fs::is_regular_file(made.driver))
        fail(file.get("driver")->source(), fmt::format("{} is no file", made.driver));
    made.flags = texts(file, "flags");
    made.options = texts(file, "options");
    made.model = needed(file, "model");
    made.shows = needed(file, "shows");
    made.no_after = text(file, "no_after");
    made.found_by = read_finders(file);
    made.before = read_edition(file, "before");
    if (file.contains("after") != made.no_after.empty())
        fail(file.source(), "either [after] describes the fix, or 'no_after' says why it is not run");
    if (file.contains("after")) made.after = read_edition(file, "after");
    const bool cloned = !made.before.from.source.empty() || (made.after && !made.after->from.source.empty());
    if (cloned && made.url.empty()) fail(file.source(), "'source' needs 'url', the repository to clone");
    return made;
}

} // namespace

std::string name_of_tool(std::string_view tool) {
    return tool == "tsan" ? "ThreadSanitizer" : tool == "relacy" ? "Relacy" : "GenMC";
}

exhibit parse_exhibit(std::string_view text, const fs::path& shown) {
    const description file(shown.string(), shown.parent_path());
    toml::table table;
    try {
        table = toml::parse(text, shown.string());
    } catch (const toml::parse_error& error) {
        file.fail(error.source(), std::string(error.description()));
    }
    return file.read(table);
}

std::vector<exhibit> read_exhibits(const fs::path& folder) {
    std::vector<exhibit> all;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".toml")
            all.push_back(parse_exhibit(command::read_text(entry.path().string()), entry.path()));
    if (error)
        throw command::file_error(fmt::format("{}: cannot read: {}", folder.string(), error.message()));
    std::sort(all.begin(), all.end(), [](const exhibit& a, const exhibit& b) { return a.name < b.name; });
    return all;
}

} // namespace ringproof::verify
