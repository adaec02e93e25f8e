// SPDX-License-Identifier: Apache-2.0
#include "emulator.hpp"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace ringproof::litmus {
namespace {

// The runner in small: a thread each, a barrier per batch, the histogram on standard output.
constexpr const char* driver = R"code(
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_barrier_t meeting;
static char *instances, **outs;
static u32* order;
static u64 batches, size;
static u64 seen_counts[4096];
static i64 seen_values[4096 * (SHOWN + 1)];
static void print_and_clear(struct state_table* t) {
    for (u64 slot = 0; slot <= t->mask; ++slot) {
        if (!seen_counts[slot]) continue;
        printf("%llu", seen_counts[slot]);
        for (int i = 0; i < SHOWN; ++i) printf(" %lld", seen_values[slot * SHOWN + i]);
        printf("\n");
        seen_counts[slot] = 0;
    }
    t->used = 0;
}
static void* work(void* self_) {
    const struct generated_test* test = &ringproof_litmus_test;
    const u64 self = (u64)self_;
    struct state_table table = {seen_counts, seen_values, 4095, 0};
    for (u64 b = 0; b < batches; ++b) {
        pthread_barrier_wait(&meeting);
        test->run[self](instances, order, 0, size, outs[self]);
        pthread_barrier_wait(&meeting);
        if (self == 0)
            for (u64 k = 0; k < size;) {
                k = test->collect(instances, order, k, size, outs, &table);
                if (k < size) print_and_clear(&table);
            }
    }
    if (self == 0) print_and_clear(&table);
    return 0;
}
int main(int argc, char** argv) {
    const struct generated_test* test = &ringproof_litmus_test;
    batches = strtoull(argv[1], 0, 10);
    size = strtoull(argv[2], 0, 10);
    instances = aligned_alloc(4096, (size * test->instance_bytes + 4095) / 4096 * 4096);
    outs = malloc(test->threads * sizeof *outs);
    order = malloc(size * sizeof *order);
    for (u64 k = 0; k < size; ++k) order[k] = (u32)(k * test->instance_bytes);
    test->reset(instances, order, 0, size);
    pthread_barrier_init(&meeting, 0, (unsigned)test->threads);
    pthread_t threads[16];
    for (u64 t = 0; t < test->threads; ++t) {
        outs[t] = malloc(size * test->out_bytes[t]);
        pthread_create(&threads[t], 0, work, (void*)t);
    }
    for (u64 t = 0; t < test->threads; ++t) pthread_join(threads[t], 0);
    (void)argc;
}
)code";

constexpr const char* compiler = "aarch64-linux-gnu-gcc";
constexpr const char* emulator = "qemu-aarch64";
constexpr std::uint64_t most_batches = 20; // a smoke test shows nothing more by running longer

} // namespace

run_result run_in_emulator(const std::string& code, std::size_t shown, const run_options& options,
                           const scratch_folder& folder) {
    using clock = std::chrono::steady_clock;
    if (!in_path(compiler) || !in_path(emulator))
        throw not_on_this_machine(
            fmt::format("tests of AArch64 need an AArch64 machine, or {} and {} for a "
                        "smoke test (Debian: gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)",
                        compiler, emulator));
    const std::string binary = folder.path() + "/emulated", text = binary + ".c", result = binary + ".out";
    std::ofstream(text) << code << fmt::format("#define SHOWN {}\n", shown) << driver;
    const std::string complaint = compile({compiler, "-x", "c", "-std=gnu11", "-O2", "-w", "-march=armv8.3-a",
                                           "-fomit-frame-pointer", "-static", "-pthread", "-o", binary, text},
                                          folder);
    if (!complaint.empty())
        throw std::runtime_error(
            fmt::format("'{}' did not compile the generated code: {}", compiler, complaint));
    run_result r;
    const std::uint64_t batches = std::min(options.runs, most_batches);
    const auto start = clock::now();
    const int status =
        run_command({emulator, "-cpu", "max", binary, std::to_string(batches), std::to_string(options.size)},
                    "/dev/null", result);
    r.seconds = std::chrono::duration<double>(clock::now() - start).count();
    if (status != 0) throw std::runtime_error(fmt::format("{} ended with {}", emulator, status));
    std::ifstream in(result);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::uint64_t count = 0;
        words >> count;
        std::vector<std::int64_t> values(shown);
        for (std::int64_t& v : values) words >> v;
        r.states[values] += count;
    }
    for (const std::string& file : {binary, text, result}) std::remove(file.c_str());
    r.iterations = batches * options.size;
    return r;
}

} // namespace ringproof::litmus
