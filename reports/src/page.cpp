// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include "assets.hpp"
#include "escape.hpp"

#include <filesystem>
#include <stdexcept>

namespace ringproof::report {
namespace {

/// Beside each result what the report makes of it; null for an aggregate, which is no case.
json outcomes_of(const document& source) {
    json outcomes = json::array();
    for (const json& result :
         source.content[source.kind == document_kind::bench ? "benchmarks" : "results"]) {
        const auto made = case_of(source.kind, result);
        outcomes.push_back(made ? json{{"outcome", name_of(made->result)}, {"what", made->what}} : json());
    }
    return outcomes;
}

} // namespace

std::string to_page(const summary& all, const std::vector<document>& documents, const json& sources) {
    json data{{"summary", to_json(all)}, {"documents", json::array()}, {"sources", sources}};
    for (const document& d : documents) {
        data["documents"].push_back({{"file", std::filesystem::path(d.path).filename().string()},
                                     {"kind", name_of(d.kind)},
                                     {"content", d.content},
                                     {"outcomes", outcomes_of(d)}});
    }
    // In the built page stands <script id="ringproof-data" type="application/json">"RINGPROOF_DATA"</script>.
    constexpr std::string_view place = "\"RINGPROOF_DATA\"";
    std::string text(assets::page);
    const std::size_t at = text.find(place);
    if (at == std::string::npos || text.find(place, at + 1) != std::string::npos)
        throw std::logic_error("the page's template has not exactly one place for its data");
    text.replace(at, place.size(), escape_script(data.dump(-1, ' ', false, json::error_handler_t::replace)));
    return text;
}

} // namespace ringproof::report
