// SPDX-License-Identifier: Apache-2.0
#pragma once
// --second-opinion relacy: what Relacy says of an exhibit. Its driver is compiled with -fsanitize=thread, and linked with the
// hooks by which the scenarios of `ringproof verify` run on Relacy (verify/opinions).

#include "run.hpp"

namespace ringproof::verify {

/// The compiler's command line: driver and files become one object. @param to the object
std::vector<std::string> relacy_compile_command(const showing& one, const std::string& to);

/// Compiles it, and searches: at random for half of the time, then Relacy's full search. pass_signals_on() has been called.
/// @param adapter the library libringproof_museum_relacy.a
/// @param seconds for both searches
/// @return as ask_tsan(); the verdict may be "not expressible" as well
command::json ask_relacy(const showing& one, const std::string& adapter, double seconds);

} // namespace ringproof::verify
