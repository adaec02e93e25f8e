// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the text of a test to the paths of its threads, for each dialect.

#include "program.hpp"

namespace ringproof::litmus {

/// Which macros a C test uses: C11's atomics or the Linux kernel's.
enum class c_flavour { none, c11, linux_kernel };

struct loaded_test {
    test text;
    program what;
    c_flavour flavour = c_flavour::none;
    bool complete = true; ///< false: the time ran out, and `what` lacks paths
};

namespace c {
class macros;
}

/// Reads a test of any dialect. `defined` is what C tests call by other names, or in another way, than the
/// front end knows. @throws syntax_error, also for what is not supported
loaded_test load_test(source from, int unroll, const c::macros* defined = nullptr, watch* time = nullptr);

/// Our models that are for tests like this one; the first is the default. Asks nothing of `what`, which may be
/// missing.
std::vector<std::string> models_for(const loaded_test& t);

/// A test of assembly code whose threads are run one at a time: without their paths.
struct opened_assembly {
    program what;
    /// Runs a thread once, from its start. Refers to the test. @throws syntax_error
    std::function<void(program&, std::size_t thread, path_builder&)> run;
};
opened_assembly open_aarch64(const test& t, int unroll);
opened_assembly open_riscv(const test& t, int unroll);

program run_x86(const test& t, int unroll, watch* time);
program run_aarch64(const test& t, int unroll, watch* time);
program run_riscv(const test& t, int unroll, watch* time);
program run_c(const test& t, int unroll, c_flavour& flavour, const c::macros* defined, watch* time);

} // namespace ringproof::litmus
