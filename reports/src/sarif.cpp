// SPDX-License-Identifier: Apache-2.0
#include "sarif.hpp"

#include "escape.hpp"
#include "finding.hpp"

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

json result_of(const finding& f) {
    json made{{"ruleId", f.kind->id},
              {"level", f.warning ? "warning" : "error"},
              {"message", {{"text", f.message}}},
              // The second is the one that GitHub compares.
              {"partialFingerprints",
               {{"ringproof/v1", f.fingerprint}, {"primaryLocationLineHash", f.fingerprint + ":1"}}}};
    if (!f.file.empty()) made["locations"] = json::array({location(f.file, f.line, "")});
    if (const json* found = counterexample_of(*f.of))
        if (const json flows = thread_flows((*found)["events"]); !flows.empty())
            made["codeFlows"] = json::array({{{"threadFlows", flows}}});
    return made;
}

json to_json(const rule& r) {
    return {{"id", r.id},
            {"name", r.id},
            {"shortDescription", {{"text", r.title}}},
            {"fullDescription", {{"text", r.about}}},
            {"help", {{"text", fmt::format("{} {}", r.about, r.advice)}}},
            {"properties", {{"tags", {"concurrency", "correctness"}}, {"precision", "very-high"}}}};
}

} // namespace

std::string to_sarif(const summary& all) {
    json rules = json::array(), results = json::array();
    std::set<std::string_view> known;
    for (const finding& f : findings_of(all)) {
        results.push_back(result_of(f));
        if (known.insert(f.kind->id).second) rules.push_back(to_json(*f.kind));
    }
    json driver{{"name", "ringproof"}, {"version", command::version()}, {"rules", rules}};
    const json made{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", json::array({{{"tool", {{"driver", driver}}}, {"results", results}}})}};
    return made.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace ringproof::report
