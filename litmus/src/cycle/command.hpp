// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::litmus::cycles {

/// `ringproof litmus generate …`: argv[0] is "generate". @returns the exit code
int generate_command(int argc, char** argv);

} // namespace ringproof::litmus::cycles
