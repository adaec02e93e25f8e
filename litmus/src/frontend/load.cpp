// SPDX-License-Identifier: Apache-2.0
#include "../parse/x86.hpp"
#include "front_ends.hpp"

#include <fmt/format.h>

namespace ringproof::litmus {

loaded_test load_test(source from, int unroll, const c::macros* defined) {
    loaded_test l;
    l.text = parse_test(std::move(from));
    const std::string& dialect = l.text.dialect;
    if (x86::is_dialect(dialect))
        l.what = run_x86(l.text, unroll);
    else if (dialect == "AArch64")
        l.what = run_aarch64(l.text, unroll);
    else if (dialect == "RISCV")
        l.what = run_riscv(l.text, unroll);
    else if (dialect == "C")
        l.what = run_c(l.text, unroll, l.flavour, defined);
    else
        throw syntax_error(
            l.text.from, l.text.from.text.find(dialect),
            fmt::format("dialect '{}' is not supported: expected C, X86, X86_64, AArch64 or RISCV", dialect));
    return l;
}

} // namespace ringproof::litmus
