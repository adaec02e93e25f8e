// SPDX-License-Identifier: Apache-2.0
// Tests in C keep their own text: a thread's body runs as it is, with pointers to the variables of an
// instance, so that what is measured is what the machine's compiler makes of it.
#include "generate.hpp"

#include "c_text.hpp"
#include "frame.hpp"
#include "runner.hpp"

#include <fmt/format.h>
#include <regex>

namespace ringproof::litmus {
namespace {

bool stores_to(const std::string& body, const std::string& name) {
    return std::regex_search(
        body,
        std::regex("(?:store|WRITE_ONCE|atomic_set|xchg|exchange|fetch|atomic_(?:add|sub|inc|dec))\\w*\\s*\\("
                   "[^;]*?\\b" +
                   name + "\\b|\\*\\s*" + name + "\\s*=[^=]"));
}

std::size_t declare(frame::description& d, const std::string& name, const std::string& type) {
    std::size_t v = find_variable(d.variables, name);
    if (v == d.variables.size()) d.variables.push_back({name, 32, 0});
    if (is_wide(type)) d.variables[v].bits = 64;
    return v;
}

} // namespace

std::string generate_c(const test& t, bool linux_kernel, const std::vector<location>& shown) {
    refuse_arrays(t);
    frame::description d;
    for (const init_entry& e : t.init) {
        if (e.where.is_register() || !e.symbol.empty())
            throw not_on_this_machine(
                "C tests with addresses in variables, or values in registers, run only in the simulator");
        d.variables[declare(d, e.where.name, e.type)].initial = e.number;
    }
    std::vector<thread_text> threads;
    for (std::size_t i = 0; i < t.threads.size(); ++i) {
        threads.push_back(read_thread(t, i));
        if (threads.back().body.find("rcu") != std::string::npos)
            throw not_on_this_machine("tests that use RCU run only in the simulator");
        for (const std::string& one : threads.back().parameters) declare(d, last_word(one), one);
    }
    for (const location& l : shown)
        if (!l.is_register()) declare(d, l.name, "");
    std::string s = frame::prologue();
    s += linux_kernel ? kernel_words() : "#include <stdatomic.h>\n#include <stdint.h>\n";
    for (std::size_t i = 0; i < threads.size(); ++i) {
        d.outputs.emplace_back(), d.loads.emplace_back(), d.stores.emplace_back();
        for (std::size_t n = 0; n < shown.size(); ++n)
            if (shown[n].thread == static_cast<int>(i)) d.outputs[i].push_back({n, 64});
        s += frame::out_struct(d, i) + frame::run_head(i);
        s += fmt::format("        char* const rp_base = p;\n        struct out_{}* const rp_out = o + k;\n"
                         "        (void)rp_base, (void)rp_out;\n        __asm__ volatile(\"\" : : : "
                         "\"memory\");\n        {{\n",
                         i);
        for (const std::string& one : threads[i].parameters) {
            const std::size_t v = find_variable(d.variables, last_word(one));
            s += fmt::format("            {} = (void*)(rp_base + {});\n", one, v * variable_pitch);
            (stores_to(threads[i].body, last_word(one)) ? d.stores : d.loads)[i].push_back(v);
        }
        s += threads[i].body + "\n";
        for (const frame::output& o : d.outputs[i])
            s += fmt::format("            rp_out->v{} = (i64)({});\n", o.state_index,
                             shown[o.state_index].name);
        s += "        }\n        __asm__ volatile(\"\" : : : \"memory\");\n    }\n}\n" + frame::hints(d, i);
    }
    return s + frame::collect(d, shown) + frame::table(d, std::vector<frame::steps>(threads.size()));
}

} // namespace ringproof::litmus
