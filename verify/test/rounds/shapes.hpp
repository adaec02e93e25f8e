// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

namespace ringproof::verify::rounds {

struct shape {
    const char* name;
    program what;
};

/// Programs that are lost executions of, as soon as a search takes for granted what is not so. Chance seldom makes them:
/// another thread has to act within a round, which only happens while the round has given a read up and waits.
std::vector<shape> shapes();

} // namespace ringproof::verify::rounds
