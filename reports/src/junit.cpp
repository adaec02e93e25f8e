// SPDX-License-Identifier: Apache-2.0
#include "junit.hpp"

#include "escape.hpp"

#include <fmt/format.h>

namespace ringproof::report {
namespace {

struct suite {
    std::string name;
    std::vector<const test_case*> cases;
};

/// Cases by tool and model, in the order in which these first come.
std::vector<suite> suites_of(const summary& all) {
    std::vector<suite> suites;
    for (const test_case& c : all.cases) {
        const std::string name = fmt::format("{}{}{}", name_of(c.kind), c.group.empty() ? "" : ".", c.group);
        auto at = suites.begin();
        while (at != suites.end() && at->name != name) ++at;
        if (at == suites.end()) at = suites.insert(at, suite{name, {}});
        at->cases.push_back(&c);
    }
    return suites;
}

struct counts {
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    double seconds = 0;

    void add(const test_case& c) {
        ++tests;
        failures += c.result == outcome::failed;
        errors += c.result == outcome::error || c.result == outcome::inconclusive;
        skipped += c.result == outcome::skipped;
        seconds += c.seconds;
    }
    std::string attributes() const {
        return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests,
                           failures, errors, skipped, seconds);
    }
};

std::string body_of(const test_case& c) {
    const std::string what = escape_xml(c.what);
    switch (c.result) {
    case outcome::passed:
        return fmt::format("      <system-out>{}</system-out>\n", what);
    case outcome::skipped:
        return fmt::format("      <skipped message=\"{}\"/>\n", what);
    case outcome::failed:
        return fmt::format("      <failure type=\"failed\" message=\"{0}\">{0}</failure>\n", what);
    case outcome::error:
    case outcome::inconclusive:
        return fmt::format("      <error type=\"{0}\" message=\"{1}\">{1}</error>\n", name_of(c.result),
                           what);
    }
    return {};
}

} // namespace

std::string to_junit(const summary& all) {
    counts total;
    std::string body;
    for (const suite& s : suites_of(all)) {
        counts here;
        std::string cases;
        for (const test_case* c : s.cases) {
            here.add(*c), total.add(*c);
            cases += fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.3f}")",
                                 escape_xml(s.name), escape_xml(c->name), c->seconds);
            if (!c->file.empty())
                cases += fmt::format(R"( file="{}" line="{}")", escape_xml(c->file), c->line);
            cases += ">\n" + body_of(*c) + "    </testcase>\n";
        }
        body += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", escape_xml(s.name),
                            here.attributes(), cases);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ringproof\" {}>\n{}</testsuites>\n",
        total.attributes(), body);
}

} // namespace ringproof::report
