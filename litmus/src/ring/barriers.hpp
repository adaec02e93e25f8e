// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which barrier is needed on which machine. Every combination of options of B with C and of A with D
// is simulated; an option works if some partner makes the bad outcome impossible (and, for plain
// data, leaves no data race); the table shows the cheapest that work. That the four work together,
// and that none of them can be left out, is checked on the whole ring.

#include "machine.hpp"

#include <map>
#include <memory>

namespace ringproof::litmus::ring {

struct verdict {
    std::string observation; ///< "Never", "Sometimes", "Always"
    bool race = false;
    std::string asked; ///< the program's name
    bool good() const { return observation == "Never" && !race; }
};
/// "Never", "Sometimes", "Never, but a data race", …
std::string in_words(const verdict& v);

struct letter_finding {
    char letter;
    std::vector<std::string> minimum; ///< those of the pairs that cost least among the pairs that work
    std::vector<std::string> works;   ///< with some partner
    std::vector<std::string> fails;
    std::string in_words; ///< the minimum
    verdict removed;      ///< the whole ring with the minimum of the others and nothing for this letter
};

struct machine_finding {
    const machine* where;
    std::vector<letter_finding> letters; ///< A to D
    bool independent;                    ///< any choice among the minima works
    verdict minimum;                     ///< the whole ring with the first minimum of each letter
    verdict documented, acquire_release;
    std::size_t simulated; ///< programs
};

/// Simulates programs, each once per model.
class simulated_verdicts {
  public:
    simulated_verdicts();
    ~simulated_verdicts();
    /// @throws std::runtime_error if the search was not complete
    verdict operator()(const program& p, const std::string& model);

  private:
    struct state;
    std::unique_ptr<state> state_;
};

machine_finding examine(const machine& m, simulated_verdicts& ask);
std::vector<machine_finding> examine_all();

/// The ring's tests that are kept as files: both styles, and each with every barrier left out in turn.
std::vector<program> kept_tests(const machine& m);
/// Folder and file name → content: those tests of all machines, and `expected.tsv`.
std::map<std::string, std::string> test_files();

} // namespace ringproof::litmus::ring
