// SPDX-License-Identifier: Apache-2.0
#pragma once
// The files of litmus/models, put into the program when it is built.

#include <string>
#include <vector>

namespace ringproof::litmus::cat {

struct embedded_file {
    std::string name;
    std::string text;
};

const std::vector<embedded_file>& embedded_files();

} // namespace ringproof::litmus::cat
