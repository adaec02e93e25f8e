// SPDX-License-Identifier: Apache-2.0
#include "source_lines.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

namespace ringproof::report {
namespace {

namespace fs = std::filesystem;

constexpr long around = 3;
constexpr std::size_t longest_line = 400;

/// The file that `name` means, empty when it is not a regular file below `root`.
fs::path inside(const fs::path& root, const std::string& name) {
    std::error_code error;
    const fs::path real_root = fs::canonical(root, error);
    if (error) return {};
    const fs::path file = fs::canonical(real_root / name, error); // follows links, so none leads out
    if (error || !fs::is_regular_file(file, error)) return {};
    const auto [end, at] = std::mismatch(real_root.begin(), real_root.end(), file.begin(), file.end());
    return end == real_root.end() ? file : fs::path();
}

std::map<std::string, std::set<long>> wanted_lines(const std::vector<document>& documents) {
    std::map<std::string, std::set<long>> wanted;
    for (const document& d : documents) {
        if (d.kind != document_kind::verify) continue;
        for (const json& result : d.content.at("results")) {
            const auto found = result.find("counterexample");
            if (found == result.end() || !found->is_object()) continue;
            for (const json& event : found->at("events")) {
                const auto file = event.find("file"), line = event.find("line");
                if (file == event.end() || line == event.end() || !file->is_string() || !line->is_number())
                    continue;
                const long at = line->get<long>();
                for (long l = std::max(1L, at - around); l <= at + around; ++l)
                    wanted[file->get<std::string>()].insert(l);
            }
        }
    }
    return wanted;
}

} // namespace

json source_lines(const std::vector<document>& documents, const fs::path& root) {
    json sources = json::object();
    for (const auto& [name, lines] : wanted_lines(documents)) {
        const fs::path path = inside(root, name);
        if (path.empty()) continue;
        std::ifstream file(path);
        long number = 0;
        for (std::string line; ++number <= *lines.rbegin() && std::getline(file, line);)
            if (lines.contains(number)) sources[name][std::to_string(number)] = line.substr(0, longest_line);
    }
    return sources;
}

} // namespace ringproof::report
