// SPDX-License-Identifier: Apache-2.0
#include "finding.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fmt/format.h>

namespace ringproof::report {
namespace {

std::string text(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// "new@list.hpp:62#2" without the line, and any address without its digits.
std::string without_places(const std::string& words) {
    std::string made;
    for (std::size_t i = 0; i < words.size(); ++i) {
        made += words[i];
        const bool line = words[i] == ':';
        const bool address = words[i] == 'x' && i > 0 && words[i - 1] == '0';
        while ((line || address) && i + 1 < words.size() &&
               (line ? std::isdigit(static_cast<unsigned char>(words[i + 1])) != 0
                     : std::isxdigit(static_cast<unsigned char>(words[i + 1])) != 0))
            ++i;
    }
    return made;
}

/// The events that are to blame: those named, or else the last one.
std::vector<const json*> culprits_of(const json& found) {
    std::vector<const json*> events;
    const json named = found.value("culprits", json::array());
    for (const json& event : found["events"])
        if (std::find(named.begin(), named.end(), event["id"]) != named.end()) events.push_back(&event);
    if (events.empty() && !found["events"].empty()) events.push_back(&found["events"].back());
    return events;
}

/// A path in the repository; what lies outside, as a system's header, is absolute.
bool inside(const std::string& file) { return !file.empty() && !file.starts_with('/'); }

/// Takes the place, if it has one.
bool take(finding& made, const json& place) {
    const std::string file = text(place, "file");
    if (file.empty()) return false;
    made.file = file;
    made.line = place.contains("line") && place["line"].is_number() ? place["line"].get<long>() : 0;
    return true;
}

/// Where the execution ends, as seen in the repository: an access in a library's header is at the line that calls it.
void place(finding& made, const json& found) {
    std::vector<const json*> last_first = culprits_of(found);
    std::reverse(last_first.begin(), last_first.end());
    for (auto event = found["events"].rbegin(); event != found["events"].rend(); ++event)
        last_first.push_back(&*event);
    for (const json* event : last_first) {
        if (inside(text(*event, "file")) && take(made, *event)) return;
        for (const json& caller : event->value("callers", json::array()))
            if (inside(text(caller, "file")) && take(made, caller)) return;
    }
    if (!inside(made.file))
        for (const json* event : last_first)
            if (take(made, *event)) return;
}

/// FNV-1a of 64 bits, with an end after each part.
std::string digest(const std::vector<std::string>& parts) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3; };
    for (const std::string& part : parts) {
        for (const char c : part) add(static_cast<unsigned char>(c));
        add(0);
    }
    return fmt::format("{:016x}", hash);
}

std::string fingerprint_of(const finding& made) {
    const test_case& c = *made.of;
    // A program named by its file has another name in another folder.
    const bool by_file = c.file.ends_with(c.name);
    std::vector<std::string> parts{std::string(made.kind->id), by_file ? c.file : c.name, c.group};
    if (const json* found = counterexample_of(c)) {
        std::vector<std::string> accesses;
        for (const json* event : culprits_of(*found))
            accesses.push_back(fmt::format("{} {} {}", text(*event, "file"), text(*event, "kind"),
                                           without_places(text(*event, "location"))));
        std::sort(accesses.begin(), accesses.end());
        parts.insert(parts.end(), accesses.begin(), accesses.end());
    }
    return digest(parts);
}

const rule& rule_for(const test_case& c) {
    if (c.result == outcome::inconclusive) return rule_of("inconclusive");
    const json* found = counterexample_of(c);
    if (c.kind == document_kind::verify && c.result == outcome::failed && !found) {
        const bool verified = c.source->value("verdict", "") == "verified";
        const bool twin = c.source->value("expected", "") == "refuted";
        return rule_of(verified && twin ? "unrefuted" : "uncovered");
    }
    if (found) return rule_of(text(*found, "kind"));
    if (c.result == outcome::error)
        return rule_of(c.kind == document_kind::verify && c.source->value("verdict", "") == "verified"
                           ? "nothing shown"
                           : "error");
    return rule_of(c.kind == document_kind::litmus ? "litmus" : "other");
}

std::string message_of(const test_case& c, const rule& kind) {
    const json* found = counterexample_of(c);
    std::string what = found ? text(*found, "message") : text(*c.source, "message");
    if (what.empty()) what = c.kind == document_kind::verify ? std::string(kind.about) : c.what;
    const std::string under = c.kind == document_kind::verify ? fmt::format(" under {}", c.group) : "";
    return fmt::format("{}{}: {}", c.name, under, what);
}

} // namespace

const json* counterexample_of(const test_case& c) {
    const auto found = c.source->find("counterexample");
    return found != c.source->end() && found->is_object() ? &*found : nullptr;
}

std::vector<finding> findings_of(const summary& all) {
    std::vector<finding> made;
    for (const test_case& c : all.cases) {
        if (c.result == outcome::passed || c.result == outcome::skipped || c.kind == document_kind::bench)
            continue;
        finding one{&c, &rule_for(c), c.result == outcome::inconclusive, {}, c.file, c.line, {}};
        one.message = message_of(c, *one.kind);
        if (const json* found = counterexample_of(c)) place(one, *found);
        one.fingerprint = fingerprint_of(one);
        made.push_back(std::move(one));
    }
    return made;
}

} // namespace ringproof::report
