// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a generated AArch64 test under qemu's user-mode emulation, where there is no such processor: a
// smoke test. The emulator translates to this machine's instructions, keeps (or adds) their order,
// and so says nothing about Arm.

#include "library.hpp"
#include "runner.hpp"

namespace ringproof::litmus {

/// @param code what generate_aarch64 or generate_c made
/// @param shown number of values of a state
/// @throws not_on_this_machine if the cross-compiler (aarch64-linux-gnu-gcc) or qemu-aarch64 is missing
run_result run_in_emulator(const std::string& code, std::size_t shown, const run_options& options,
                           const scratch_folder& folder);

} // namespace ringproof::litmus
