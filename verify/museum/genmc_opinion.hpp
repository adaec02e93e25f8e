// SPDX-License-Identifier: Apache-2.0
#pragma once
// --second-opinion genmc: what GenMC says of an exhibit in C. The files are compiled by clang with GenMC's headers in the place of
// the C library's, and become one file of LLVM's code, in which only what main() reaches is left.

#include "run.hpp"

#include <optional>

namespace ringproof::verify {

/// GenMC's option for a model of ours; nullopt: it has none.
std::optional<std::string> genmc_model(const std::string& model);

/// The command lines that make the code, in their order.
/// @param headers GenMC's folder of headers
/// @param folder for what they write; the code is in FOLDER/exhibit.bc
std::vector<std::vector<std::string>> genmc_compile_commands(const showing& one, const std::string& headers,
                                                             const std::string& folder);

/// The command line that explores it. @param genmc the program
std::vector<std::string> genmc_command(const showing& one, const std::string& genmc, const std::string& code);

/// Lets GenMC explore the exhibit under its model. pass_signals_on() has been called.
/// @param seconds after which it is stopped
/// @return as ask_tsan(), with the time of GenMC alone; the verdict may be "not expressible" as well, and "all" says whether
/// `runs` are all executions
command::json ask_genmc(const showing& one, double seconds);

} // namespace ringproof::verify
