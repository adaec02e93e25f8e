// SPDX-License-Identifier: Apache-2.0
#include "frame.hpp"

#include "abi.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::frame {
namespace {

constexpr const char* declarations = R"code(typedef unsigned long long u64;
typedef long long i64;
typedef unsigned u32;
typedef void (*run_function)(char*, const u32*, u64, u64, char*);
typedef void (*step_function)(char*, const u32*, u64, u64, char*, u64*);
typedef void (*hint_function)(char*, const u32*, u64, u64);
struct state_table { u64* counts; i64* values; u64 mask; u64 used; };
struct generated_test {
    u64 threads, instance_bytes;
    const u64* out_bytes;
    const run_function* run;
    const hint_function* touch;
    const hint_function* flush;
    const u64* steps;
    const step_function* const* step;
    const u64* saved_words;
    u64 (*collect)(char*, const u32*, u64, u64, char* const*, struct state_table*);
    void (*reset)(char*, const u32*, u64, u64);
};
static inline void flush_line(const char* line) {
#if defined(__x86_64__)
    __asm__ volatile("clflush (%0)" : : "r"(line) : "memory");
#elif defined(__aarch64__)
__asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
#else
(void)line;
#endif
}
)code";

std::string reset_lines(const description& d) {
    std::string s;
    for (std::size_t v = 0; v < d.variables.size(); ++v)
        s += fmt::format("        *({}*)(p + {}) = ({}){}ull;\n", type_of(d.variables[v].bits),
                         v * variable_pitch, type_of(d.variables[v].bits),
                         static_cast<std::uint64_t>(d.variables[v].initial));
    return s;
}

std::string hint(const char* name, const char* call, std::size_t thread, const std::vector<std::size_t>& of) {
    std::string s =
        fmt::format("static void {}_{}(char* base, const u32* order, u64 from, u64 to) {{\n", name, thread);
    if (of.empty()) return s + "    (void)base, (void)order, (void)from, (void)to;\n}\n";
    s += "    for (u64 k = from; k < to; ++k) {\n";
    for (const std::size_t v : of)
        s += fmt::format("        {}(base + order[k] + {});\n", call, v * variable_pitch);
    return s + "    }\n}\n";
}

} // namespace

const char* type_of(int bits) { return bits == 64 ? "i64" : "int"; }

std::string prologue() { return declarations; }

std::string out_struct(const description& d, std::size_t thread) {
    std::vector<output> outputs = d.outputs[thread];
    std::stable_sort(outputs.begin(), outputs.end(),
                     [](const output& a, const output& b) { return a.bits > b.bits; });
    std::string s = fmt::format("struct out_{} {{", thread);
    for (const output& o : outputs) s += fmt::format(" {} v{};", type_of(o.bits), o.state_index);
    if (outputs.empty()) s += " char none;";
    return s + " };\n";
}

std::string run_head(std::size_t thread) {
    return fmt::format(
        "static void run_{0}(char* base, const u32* order, u64 from, u64 to, char* out) {{\n"
        "    struct out_{0}* o = (struct out_{0}*)out;\n    (void)o;\n"
        "    for (u64 k = from; k < to; ++k) {{\n        char* p = base + order[k];\n        (void)p;\n",
        thread);
}

std::string hints(const description& d, std::size_t thread) {
    // What a thread stores to and another one flushed comes late out of the store buffer; what it
    // loads and has touched before comes early.
    return hint("touch", "__builtin_prefetch", thread, d.loads[thread]) +
           hint("flush", "flush_line", thread, d.stores[thread]);
}

std::string collect(const description& d, const std::vector<location>& shown) {
    std::string s = fmt::format("static void reset(char* base, const u32* order, u64 from, u64 to) {{\n"
                                "    for (u64 k = from; k < to; ++k) {{\n        char* p = base + order[k];\n"
                                "        (void)p;\n{}    }}\n}}\n",
                                reset_lines(d));
    const std::size_t n = shown.size();
    s += "static u64 collect(char* base, const u32* order, u64 from, u64 to, char* const* outs,\n"
         "                   struct state_table* table) {\n";
    for (std::size_t t = 0; t < d.outputs.size(); ++t)
        if (!d.outputs[t].empty())
            s += fmt::format("    const struct out_{0}* o{0} = (const struct out_{0}*)outs[{0}];\n", t);
    s += "    (void)outs;\n    u64 k = from;\n"
         "    for (; k < to && table->used * 2 <= table->mask; ++k) {\n        char* p = base + order[k];\n"
         "        (void)p;\n";
    s += fmt::format("        i64 v[{}];\n", n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t v = find_variable(d.variables, shown[i].name);
        if (shown[i].is_register())
            s += fmt::format("        v[{}] = o{}[k].v{};\n", i, shown[i].thread, i);
        else
            s += fmt::format("        v[{}] = *(const {}*)(p + {});\n", i, type_of(d.variables[v].bits),
                             v * variable_pitch);
    }
    s += "        u64 h = 0;\n";
    for (std::size_t i = 0; i < n; ++i)
        s += fmt::format("        h = (h + (u64)v[{}]) * 0x9e3779b97f4a7c15ull;\n        h ^= h >> 29;\n", i);
    return s + fmt::format(
                   "        for (;; ++h) {{\n            const u64 slot = h & table->mask;\n"
                   "            i64* row = table->values + slot * {0};\n"
                   "            if (table->counts[slot] == 0) {{\n"
                   "                for (int i = 0; i < {0}; ++i) row[i] = v[i];\n"
                   "                ++table->used;\n            }} else {{\n                int same = 1;\n"
                   "                for (int i = 0; i < {0}; ++i) same &= row[i] == v[i];\n"
                   "                if (!same) continue;\n            }}\n"
                   "            ++table->counts[slot];\n            break;\n        }}\n{1}"
                   "    }}\n    return k;\n}}\n",
                   n, reset_lines(d));
}

std::string table(const description& d, const std::vector<steps>& of) {
    std::string sizes, runs, touches, flushes, counts, step, words;
    for (std::size_t t = 0; t < d.outputs.size(); ++t) {
        const char* comma = t ? ", " : "";
        sizes += fmt::format("{}sizeof(struct out_{})", comma, t);
        runs += fmt::format("{}run_{}", comma, t);
        touches += fmt::format("{}touch_{}", comma, t);
        flushes += fmt::format("{}flush_{}", comma, t);
        counts += fmt::format("{}{}", comma, of[t].count);
        step += of[t].count == 0 ? fmt::format("{}0", comma) : fmt::format("{}steps_{}", comma, t);
        words += fmt::format("{}{}", comma, of[t].words);
    }
    return fmt::format(
        "static const u64 sizes[] = {{{}}};\nstatic const run_function runs[] = {{{}}};\n"
        "static const hint_function touches[] = {{{}}};\nstatic const hint_function flushes[] = {{{}}};\n"
        "static const u64 counts[] = {{{}}};\nstatic const step_function* const steps[] = {{{}}};\n"
        "static const u64 words[] = {{{}}};\n"
        "__attribute__((visibility(\"default\"))) const struct generated_test ringproof_litmus_test =\n"
        "    {{{}, {}, sizes, runs, touches, flushes, counts, steps, words, collect, reset}};\n",
        sizes, runs, touches, flushes, counts, step, words, d.outputs.size(),
        std::max<std::size_t>(d.variables.size(), 1) * variable_pitch);
}

} // namespace ringproof::litmus::frame
