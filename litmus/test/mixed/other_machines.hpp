// SPDX-License-Identifier: Apache-2.0
#pragma once
// The random programs of bytewise.hpp for RISC-V and x86, and what they may leave by machines that share nothing with
// the simulator: no pieces, no relations, no cat model.
//   RISC-V: every global memory order of whole memory operations, as RVWMO is defined in the manual.
//   x86: a machine with store buffers, of which a load takes the bytes that it finds there.

#include "bytewise.hpp"

#include <set>

namespace ringproof::litmus::bytewise {

/// Values of what the text shows, in its order.
using outcomes = std::set<std::vector<std::uint32_t>>;

std::string riscv_text(const threads& t);
outcomes riscv_outcomes(const threads& t);

std::string x86_text(const threads& t);
outcomes x86_outcomes(const threads& t);

/// Instructions of each thread below one another. `lines` by thread; `init` and `shown` as in the test's text.
std::string columns(const std::string& dialect, const std::string& init,
                    const std::vector<std::vector<std::string>>& lines, const std::string& shown);

} // namespace ringproof::litmus::bytewise
