// SPDX-License-Identifier: Apache-2.0
#include "sarif.hpp"

#include "escape.hpp"

#include <ringproof/command/document.hpp>

#include <fmt/format.h>

namespace ringproof::report {
namespace {

json location(const std::string& file, long line, const std::string& words) {
    json artifact;
    if (file.starts_with('/'))
        artifact["uri"] = "file://" + escape_uri_path(file);
    else
        artifact = {{"uri", escape_uri_path(file)}, {"uriBaseId", "%SRCROOT%"}};
    json made{{"physicalLocation", {{"artifactLocation", artifact}}}};
    if (line > 0) made["physicalLocation"]["region"] = {{"startLine", line}};
    if (!words.empty()) made["message"] = {{"text", words}};
    return made;
}

std::string text(const json& event, const char* key) {
    const auto found = event.find(key);
    if (found == event.end() || found->is_null()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string words_of(const json& event) {
    std::string words = text(event, "kind");
    for (const char* key : {"order", "location"})
        if (const std::string part = text(event, key); !part.empty()) words += " " + part;
    if (const std::string value = text(event, "value"); !value.empty()) words += " = " + value;
    if (const std::string label = text(event, "label"); !label.empty()) words += ": " + label;
    return words;
}

const json* counterexample_of(const test_case& c) {
    const auto found = c.source->find("counterexample");
    return found != c.source->end() && found->is_object() ? &*found : nullptr;
}

/// The steps that have a place, thread by thread, numbered as they were executed.
json thread_flows(const json& events) {
    json flows = json::array();
    std::map<std::string, std::size_t> index;
    int order = 0;
    for (const json& event : events) {
        ++order;
        const std::string file = text(event, "file");
        if (file.empty()) continue;
        const std::string thread = text(event, "thread");
        if (!index.contains(thread)) {
            index[thread] = flows.size();
            flows.push_back({{"id", thread}, {"locations", json::array()}});
        }
        flows[index[thread]]["locations"].push_back(
            {{"location",
              location(file,
                       event.contains("line") && event["line"].is_number() ? event["line"].get<long>() : 0,
                       words_of(event))},
             {"executionOrder", order}});
    }
    return flows;
}

json result_of(const test_case& c) {
    json made{{"ruleId", fmt::format("{}/{}", name_of(c.kind), name_of(c.result))},
              {"level", c.result == outcome::inconclusive ? "warning" : "error"},
              {"message", {{"text", fmt::format("{}: {}", c.name, c.what)}}}};
    std::string file = c.file;
    long line = c.line;
    if (const json* found = counterexample_of(c)) {
        // The violation is where the execution ends.
        for (const json& event : (*found)["events"])
            if (const std::string here = text(event, "file"); !here.empty())
                file = here,
                line = event.contains("line") && event["line"].is_number() ? event["line"].get<long>() : 0;
        if (const json flows = thread_flows((*found)["events"]); !flows.empty())
            made["codeFlows"] = json::array({{{"threadFlows", flows}}});
    }
    if (!file.empty()) made["locations"] = json::array({location(file, line, "")});
    return made;
}

} // namespace

std::string to_sarif(const summary& all) {
    json rules = json::array(), results = json::array();
    std::set<std::string> known;
    for (const test_case& c : all.cases) {
        if (c.result == outcome::passed || c.result == outcome::skipped || c.kind == document_kind::bench)
            continue;
        results.push_back(result_of(c));
        const std::string rule = results.back()["ruleId"];
        if (known.insert(rule).second)
            rules.push_back({{"id", rule},
                             {"shortDescription",
                              {{"text", fmt::format("A result of {} is {}", name_of(c.kind),
                                                    c.result == outcome::failed ? "not as expected"
                                                                                : name_of(c.result))}}}});
    }
    json driver{{"name", "ringproof"}, {"version", command::version()}, {"rules", rules}};
    const json made{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", json::array({{{"tool", {{"driver", driver}}}, {"results", results}}})}};
    return made.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace ringproof::report
