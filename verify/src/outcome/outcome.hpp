// SPDX-License-Identifier: Apache-2.0
#pragma once
// A scenario under one model, and what came of it.

#include "../division/part.hpp"
#include "../trace/counterexample.hpp"
#include "../trace/token.hpp"
#include "options.hpp"
#include "shown.hpp"

#include <ringproof/command/progress.hpp>
#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/models.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify {

class symbols;

/// What is to be explored: a scenario, or a whole program.
struct subject {
    std::string name;
    std::function<void()> body;
    scenario_options options;
    std::string file;
    int line = 0;
    bool other_properties =
        false; ///< it can fail in other ways than by an assertion that the checker sees evaluated
    std::string libraries = {}; ///< linked libraries whose accesses are not seen; empty: none
    std::string unseen = {};    ///< places where it does what the checker cannot see; empty: none known
};

/// An entry of the ledger, for people.
struct shown_assumption {
    assumption kind = assumption::idle_iteration;
    std::string place;       ///< "queue.hpp:42, called from …"; empty: nowhere in particular
    std::uint64_t times = 0; ///< that the search relied on it
    bool assumed = false;    ///< open, and the user assumes it
    bool open() const { return row_of(kind).stands == standing::open && !assumed; }
};

/// See exploration_result::counting_loop.
struct shown_counting_loop {
    std::string place;
    bool endless = false, left = false;
};

/// An order that the program does not ask for, and what came of it.
struct weakened_order {
    std::string function, access, from, to; ///< "load_tail", "load", "acquire", "relaxed"
    std::string finding;                    ///< "needed", "over-strong" …
    std::string scenario;                   ///< that refutes it, or leaves it open
    std::size_t calls = 0;                  ///< copies in the machine code
    std::string data = {};                  ///< of a letter: "plain" or "atomic"; otherwise empty
};

struct outcome {
    const subject* what = nullptr;
    memory_model model = memory_model::rc11;
    verify::verdict verdict = verdict::error;
    /// What the scenario expects of this model; nothing when it does not name the model and is a mutant.
    std::optional<verify::verdict> expected;
    std::string message; ///< why it is inconclusive or an error
    std::string blocked; ///< see blocked_text()
    exploration_result result;
    std::vector<std::string> unmet; ///< situations that no execution met, of those the scenario requires
    std::optional<counterexample> example;
    std::string among; ///< --shortest: how the example compares with the others that fail
    std::vector<shown_execution> shown;
    std::vector<shown_assumption> assumptions; ///< the ledger
    std::optional<weakened_order> weakened;
    part_of_search part; ///< empty: it is the whole search
    // Of a part, for what they come to in the whole search:
    std::vector<std::string> bounds;        ///< those that left something out
    std::vector<shown_counting_loop> loops; ///< that count while they wait
    bool interrupted = false;
    bool bad_input = false; ///< error: it is the program that cannot be checked

    bool ok() const;
    /// A part that was searched to its end without an error. What that says of the whole, `ringproof merge` tells.
    bool part_holds() const;
    /// Whether any property of the program's own was checked, beside races, memory errors and deadlocks.
    bool has_property() const { return result.evaluated || what->other_properties; }
    /// Whether the search came to what the user wants ignored: races, or threads that wait for ever.
    bool races_ignored() const { return relies_on(assumption::race_ignored); }
    bool waits_ignored() const { return relies_on(assumption::liveness); }
    bool relies_on(assumption kind) const {
        return std::any_of(assumptions.begin(), assumptions.end(),
                           [kind](const shown_assumption& a) { return a.kind == kind; });
    }
    /// The properties that the checker adds to the program's own, and that were checked.
    std::vector<std::string> own_properties() const;
};

/// The source position of a call site: "file:line, called from …".
std::string place_text(std::uintptr_t site, const symbols& names);
/// Where most branches wait that end blocked, when these are most of all; otherwise empty.
std::string blocked_text(const exploration_result& r, const symbols& names);

/// What is out of sight, and where.
std::string unseen_text(const subject& what);

/// The ledger of a search, with places for people. What the scenario or the command line assumes is marked.
std::vector<shown_assumption> ledger_of(const subject& what, const exploration_result& r,
                                        const command_options& options, const symbols& names);
/// Whether the scenario or the command line assumes it.
bool is_assumed(assumption kind, const subject& what, const command_options& options);
/// "proved", "explored", "assumed" or "open".
std::string_view standing_name(const shown_assumption& a);
/// The open entries, a sentence for each kind with its places; empty: there are none.
std::string open_text(const std::vector<shown_assumption>& ledger);
/// The whole ledger in one line: "iterations … at 3 places (proved); …".
std::string ledger_line(const std::vector<shown_assumption>& ledger);
/// ", at FILE:LINE; FILE:LINE and 3 more places": where something of that kind was taken for granted; empty: nowhere.
std::string places_of(const std::vector<shown_assumption>& ledger, assumption kind);

/// How long the failing execution is, and of how many it is the shortest.
std::string among(const exploration_result& r);

class symbols;

/// The bounds that left something out, with their places.
std::vector<std::string> bounds_met(const exploration_result& r, const command_options& options,
                                    const symbols& names);

std::string_view verdict_name(verdict v);

/// Explores `what` under `model`, within the limits of `options`. `earlier`: the stopped search to go on with.
/// `part`: which part of a search that is.
outcome run(const subject& what, memory_model model, const command_options& options, const symbols& names,
            command::progress& progress, const exploration_result* earlier = nullptr,
            const part_of_search& part = {});

/// What the command line and `what` say of each execution, and of what is left out; bounds of the whole search are not
/// among it.
exploration_limits limits_of(const command_options& options, const subject& what);

/// Runs the execution of a replay token. @throws std::invalid_argument when it does not fit the program
outcome run_token(const subject& what, const replay_token& token, const command_options& command,
                  const symbols& names);

} // namespace ringproof::verify
