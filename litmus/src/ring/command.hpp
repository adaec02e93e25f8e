// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::litmus::ring {

/// `ringproof litmus barriers …`; argv[0] is "barriers". @returns the exit code
int barriers_command(int argc, char** argv);

} // namespace ringproof::litmus::ring
