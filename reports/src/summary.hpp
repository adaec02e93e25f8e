// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all documents together say: the first screen of the page, the head of the Markdown, the
// badge and the exit code.

#include "guarantees.hpp"
#include "ratios.hpp"
#include "results.hpp"

#include <array>
#include <map>
#include <set>

namespace ringproof::report {

enum class status { ok, failed, inconclusive, skipped, empty };

std::string_view name_of(status value);

struct tally {
    std::array<unsigned long long, 5> of{}; ///< by outcome
    unsigned long long operator[](outcome value) const { return of[static_cast<std::size_t>(value)]; }
    unsigned long long total() const;
};

/// What the mutants without one barrier say about it, under one model.
struct barrier_row {
    enum class finding {
        needed,    ///< at least one mutant without it was refuted
        survived,  ///< every mutant without it verified, as expected: this model does not need it
        hole,      ///< every mutant verified although a counterexample was expected
        undecided, ///< no mutant was decided
    };
    std::string letter, model;
    finding found = finding::undecided;
    unsigned refuted = 0, mutants = 0;
    std::size_t document = 0, result = 0; ///< where the shortest counterexample is, when needed
};

std::string_view name_of(barrier_row::finding value);

struct summary {
    status verdict = status::empty;
    bool interrupted = false; ///< a document says that not everything asked for was done
    std::vector<test_case> cases;
    std::map<document_kind, tally> tallies;
    std::set<std::string> models;
    unsigned long long executions = 0, blocked = 0, iterations = 0;
    std::vector<barrier_row> barriers; ///< by letter, then model
    std::vector<ratio_row> ratios;     ///< in document order
    std::vector<collapse> collapsed;   ///< peers that came to a standstill: apart from the others
    guarantees promised;               ///< what the ring guarantees; empty without its own scenarios
    std::vector<std::string> unfit;    ///< why runs of benchmarks are not fit for their purpose
    std::set<std::string>
        compilers; ///< that the model-checked programs came from: their executions depend on it

    /// "12 scenarios hold and 8 mutants are refuted, under rc11 and sc, in 4 321 executions"
    std::string verify_line() const;
    tally sum() const; ///< of all kinds
    /// "8 passed, 0 failed, 1 skipped": of everything, or of one kind; what is not 0, and passed and failed always
    std::string counts_line() const;
    std::string counts_line(document_kind kind) const;
    /// "24 litmus tests on hardware, 24 000 000 iterations: nothing a model forbids was seen"
    std::string litmus_line() const;
    /// One of "everything holds", "2 of 30 results are not as expected", …
    std::string headline() const;
};

/// `documents` must outlive the summary.
summary summarize(const std::vector<document>& documents);

/// For the page.
json to_json(const summary& all);

} // namespace ringproof::report
