// SPDX-License-Identifier: Apache-2.0
#include "../parse/x86.hpp"
#include "front_ends.hpp"

#include <fmt/format.h>

namespace ringproof::litmus {

namespace {

void run(loaded_test& l, int unroll, const c::macros* defined, watch* time) {
    const std::string& dialect = l.text.dialect;
    if (x86::is_dialect(dialect))
        l.what = run_x86(l.text, unroll, time);
    else if (dialect == "AArch64")
        l.what = run_aarch64(l.text, unroll, time);
    else if (dialect == "RISCV")
        l.what = run_riscv(l.text, unroll, time);
    else if (dialect == "C")
        l.what = run_c(l.text, unroll, l.flavour, defined, time);
    else
        throw syntax_error(
            l.text.from, l.text.from.text.find(dialect),
            fmt::format("dialect '{}' is not supported: expected C, X86, X86_64, AArch64 or RISCV", dialect));
}

} // namespace

loaded_test load_test(source from, int unroll, const c::macros* defined, watch* time) {
    loaded_test l;
    l.text = parse_test(std::move(from));
    try {
        run(l, unroll, defined, time);
        l.what.time = nullptr;
    } catch (const out_of_time&) {
        l.complete = false;
    } catch (const too_many_events& e) {
        throw syntax_error(
            l.text.from, e.offset,
            fmt::format("a thread has more than {} events{}: not supported", most_events_in_path,
                        e.rounds > 0 ? " as its loops go round (--unroll says how often)" : ""));
    } catch (const too_many_paths&) {
        throw syntax_error(l.text.from, 0,
                           "a thread has too many paths through its branches and loops: not supported");
    } catch (const too_many_locations&) {
        throw syntax_error(l.text.from, 0,
                           fmt::format("a test has more than {} locations: not supported", most_locations));
    } catch (const expression_too_large&) {
        throw syntax_error(l.text.from, 0, "a thread computes a value in too many steps: not supported");
    }
    return l;
}

std::vector<std::string> models_for(const loaded_test& t) {
    if (t.flavour == c_flavour::linux_kernel) return {"lkmm", "sc"};
    if (t.flavour == c_flavour::c11) return {"rc11", "c11", "sc"};
    if (t.text.dialect == "AArch64") return {"aarch64", "sc"};
    if (t.text.dialect == "RISCV") return {"riscv", "sc"};
    return {"x86-tso", "sc"};
}

} // namespace ringproof::litmus
