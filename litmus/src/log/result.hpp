// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an engine found out about a test, and the two forms in which it is told.

#include "../parse/test.hpp"

#include <map>
#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus {

struct state_count {
    std::vector<std::int64_t> values; ///< of the shown locations, in their order
    std::uint64_t count = 0;
    bool witness = false; ///< satisfies the condition's proposition
};

struct test_result {
    std::string engine; ///< "hardware"
    std::string file;
    std::string name;
    std::string dialect;
    condition::quantifier how = condition::quantifier::exists;
    std::string condition_text;
    std::vector<location> shown;
    std::vector<state_count> states;
    std::uint64_t positive = 0; ///< final states that satisfy the proposition
    std::uint64_t negative = 0;
    double seconds = 0;
    // hardware
    std::uint64_t iterations = 0;
    std::size_t threads = 0;
    std::size_t workers = 0;
    std::string affinity;
    std::vector<unsigned> cpus;
    std::string settings; ///< as options of the command
    std::string note;     ///< what to know before believing it
    // against the model
    std::string model;                                ///< "" if the outcomes were not compared with one
    std::vector<std::vector<std::int64_t>> forbidden; ///< states seen that it does not allow
    std::size_t allowed = 0;                          ///< states it allows
    std::size_t seen = 0;                             ///< states seen, those included that the filter rejects
    bool holds() const { return forbidden.empty(); }
    /// "consistent", "refuted", or "observed" when there was no model to compare with
    std::string_view verdict() const;
};

/// Sorts the states, counts witnesses. States that the test's filter rejects are left out.
test_result make_result(const test& t, const std::map<std::vector<std::int64_t>, std::uint64_t>& states);

/// "0:EAX=0; [x]=1;"
std::string state_text(const std::vector<location>& shown, const std::vector<std::int64_t>& values);

/// The log in litmus7's form, so that what reads its logs reads ours.
std::string to_log(const test_result& r);

nlohmann::ordered_json to_json(const test_result& r);

} // namespace ringproof::litmus
