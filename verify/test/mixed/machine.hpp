// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

#include <set>

namespace ringproof::verify::mixed_test {

/// All outcomes of a program on a machine with one memory, a unit at a time, whose accesses each take place at once. Under
/// tso each thread has a buffer of stores: a load takes each of its units from the newest store in there that has it, or
/// from memory (the weaker reading of x86: a processor may wait until the buffer is empty). Locked instructions and seq_cst
/// fences wait for an empty buffer; what follows a seq_cst store does so, too.
std::set<outcome> run_on_machine(const program& p, model m);

/// All outcomes by the axioms of rc11 or ra in which an access of several units is one event, found by trying everything.
/// Empty and `cut` where that takes too long.
std::set<outcome> by_axioms(const program& p, model m, bool& cut);

} // namespace ringproof::verify::mixed_test
