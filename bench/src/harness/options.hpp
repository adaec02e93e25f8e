// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../topology/pin.hpp"
#include "../topology/placement.hpp"

#include <regex>
#include <string>
#include <vector>

namespace ringproof::bench {

struct options {
    std::vector<std::string> filter_text;
    std::vector<std::regex> filters; ///< any of them; none means everything
    placement_request where;
    bool quick = false;
    bool full = false;
    bool list = false;
    bool peers = false;     ///< what each peer gives up
    bool recommend = false; ///< which of ours to use here
    bool markdown = false;  ///< … as a table
    bool quiet = false;
    urgency priority = urgency::high;
    bool limits = true;
    int repetitions = 0; ///< 0: as many as fit the time
    double min_time = 0; ///< seconds each measurement takes at least; 0: by `quick`
    std::string json;    ///< path, "-" or empty
    std::string broken;  ///< hidden, for the tests
    std::vector<std::string> invocation;
};

/// @return -1 to go on, else the exit code (help was printed, or the command line was wrong)
int parse(int argc, char** argv, options& out);

bool matches(const options& o, const std::string& name);

} // namespace ringproof::bench
