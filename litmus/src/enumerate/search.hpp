// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds every execution of a test that a model allows.
//
// Order of choices: a path per thread; where addresses are computed, the location of each access;
// for each load the store it reads from; for each location the order of its stores. Values are
// computed as soon as the loads they come from have been chosen, and a branch condition that turns
// out otherwise than its path assumed ends the branch. So does an incoherent choice, if the model
// forbids incoherence (cat/coherence.hpp): the order that program order and reads-from force on the
// stores of a location is kept closed, and only its linear extensions are tried.

#include "../frontend/program.hpp"
#include "execution.hpp"
#include "model.hpp"
#include "question.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <set>

namespace ringproof::litmus {

struct state {
    std::vector<value> values; ///< of the shown locations
    std::uint64_t executions = 0;
    bool witness = false;
};

struct simulation {
    std::vector<location> shown;
    std::vector<std::string> locations; ///< names of addresses
    std::vector<state> states;          ///< in order of their values
    std::uint64_t positive = 0, negative = 0;
    std::uint64_t candidates = 0; ///< executions the model was asked about
    std::set<std::string> flags;
    /// The model allows executions whose values only justify each other (out of thin air). They are not among
    /// the states; what they could do to the condition's proposition is told.
    bool thin_air = false;
    question::outlook thin_air_outlook;
    bool complete = true;                        ///< false: the time ran out, or the states are too many
    std::string stopped_by = "the time ran out"; ///< if not complete
    bool in_pieces = false;                      ///< it accesses a location in several sizes
    bool bounded = false;                        ///< loops were cut after `unroll` rounds
    int unroll = 0;
    double seconds = 0;
    /// With limits::keep, the first executions that satisfy the condition's proposition, or if none does the
    /// first of all. With limits::keep_of_state, the first of each final state, in the order of the states.
    std::vector<execution> executions;
    /// With limits::why, if no execution has the outcome that the condition asks for (of forall: violates it).
    std::optional<why_not> why;
    bool nothing_to_explain = false; ///< such values come about on no path, whatever the model allows
};

struct limits {
    double seconds = 0; ///< 0: none
    const std::atomic<bool>* interrupted = nullptr;
    std::size_t keep = 0;          ///< executions to be shown
    std::size_t keep_of_state = 0; ///< if not 0: so many of each final state, at most `keep` in all
    std::size_t most_states = 4'000'000;
    bool why = false;          ///< tell why an outcome is forbidden
    bool order_atomics = true; ///< false: try every order, as a test that compares both does
    /// So many executions of one choice of paths are tried before the model is asked about parts of executions, to
    /// drop all that have one that it rejects.
    std::size_t parts_after = 64;
    static constexpr std::size_t never = static_cast<std::size_t>(-1);
};

simulation simulate(const test& t, const program& p, const model& m, const limits& l);
/// Of a test whose time ran out before its paths were found.
simulation not_simulated(const test& t, int unroll);

/// "0:EAX=1; [x]=2;"
std::string state_text(const simulation& s, const state& one);

} // namespace ringproof::litmus
