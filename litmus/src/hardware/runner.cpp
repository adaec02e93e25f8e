// SPDX-License-Identifier: Apache-2.0
#include "runner.hpp"

#include "barrier.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ringproof::litmus {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t line_bytes = 128;    // two lines: adjacent ones are fetched together
constexpr std::uint64_t orders_kept = 8;   // shuffled orders, used in turn
constexpr std::uint64_t turn_longest = 32; // instances a thread may run before its CPU's next one
constexpr std::uint64_t start_delay = 400; // time stamp ticks that a signal needs to reach every CPU

#if defined(__x86_64__)
std::uint64_t now_ticks() { return __rdtsc(); }
void drain_stores() { _mm_mfence(); }
#else
std::uint64_t now_ticks() { return 0; }
void drain_stores() { std::atomic_thread_fence(std::memory_order_seq_cst); }
#endif

struct free_memory {
    void operator()(char* p) const { std::free(p); }
};
using memory = std::unique_ptr<char, free_memory>;

memory allocate(std::uint64_t bytes) {
    bytes = (bytes + 4095) / 4096 * 4096;
    char* p = static_cast<char*>(std::aligned_alloc(4096, std::max<std::uint64_t>(bytes, 4096)));
    if (!p) throw std::bad_alloc();
    std::fill_n(p, bytes, '\0');
    return memory(p);
}

/// A worker's own counts, emptied into a map when they fill up.
class tally {
  public:
    explicit tally(std::size_t shown)
        : shown_(shown), counts_(slots), values_(slots * std::max<std::size_t>(shown, 1)) {
        table_ = {counts_.data(), values_.data(), slots - 1, 0};
    }
    state_table* table() { return &table_; }
    void drain() {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            if (counts_[slot] == 0) continue;
            const auto row = values_.begin() + static_cast<std::ptrdiff_t>(slot * shown_);
            states_[std::vector<std::int64_t>(row, row + static_cast<std::ptrdiff_t>(shown_))] +=
                counts_[slot];
            counts_[slot] = 0;
        }
        table_.used = 0;
    }
    const histogram& states() const { return states_; }

  private:
    static constexpr std::size_t slots = 4096;
    std::size_t shown_;
    std::vector<std::uint64_t> counts_;
    std::vector<std::int64_t> values_;
    state_table table_{};
    histogram states_;
};

class experiment {
  public:
    experiment(const generated_test& test, std::size_t shown, const run_options& options,
               const std::atomic<bool>& interrupt, const std::function<void(double)>& progress)
        : test_(test), options_(options), interrupt_(interrupt), progress_(progress),
          workers_(count_workers()), meeting_(workers_) {
        instance_stride_ = test.instance_bytes * options.stride;
        if (options.size * instance_stride_ > UINT32_MAX)
            throw not_on_this_machine("size times stride is more than 4 GiB of instances");
        instances_ = allocate(options.size * instance_stride_);
        for (std::uint64_t t = 0; t < test.threads; ++t) {
            outs_memory_.push_back(allocate(options.size * test.out_bytes[t]));
            outs_.push_back(outs_memory_.back().get());
            saved_.emplace_back(workers_ < test.threads ? options.size * test.saved_words[t] : 0);
        }
        std::vector<std::uint32_t> order(options.size);
        for (std::uint64_t k = 0; k < options.size; ++k)
            order[k] = static_cast<std::uint32_t>(k * instance_stride_);
        std::mt19937_64 random(options.seed);
        for (std::uint64_t i = 0; i < (options.shuffle ? orders_kept : 1); ++i) {
            if (options.shuffle) std::shuffle(order.begin(), order.end(), random);
            orders_.push_back(order);
        }
        for (std::size_t w = 0; w < workers_; ++w) tallies_.push_back(std::make_unique<tally>(shown));
        test.reset(instances_.get(), orders_[0].data(), 0, options.size);
    }

    run_result run() {
        start_ = clock::now();
        std::vector<std::thread> threads;
        for (std::size_t w = 1; w < workers_; ++w) threads.emplace_back([this, w] { work(w); });
        // The caller keeps its own affinity: worker 0 is a thread of its own as well.
        std::thread first([this] { work(0); });
        first.join();
        for (std::thread& t : threads) t.join();
        run_result result;
        result.seconds = std::chrono::duration<double>(clock::now() - start_).count();
        for (const auto& t : tallies_) {
            t->drain();
            for (const auto& [state, count] : t->states()) result.states[state] += count;
        }
        result.iterations = batches_ * options_.size;
        result.workers = workers_;
        result.cpus = cpus_;
        result.interrupted = interrupt_.load(std::memory_order_relaxed);
        return result;
    }

  private:
    std::size_t count_workers() {
        const std::size_t wanted = static_cast<std::size_t>(test_.threads);
        if (options_.pinning == affinity::none) return std::min(wanted, usable_cpus());
        cpus_ = choose_cpus(options_.pinning, wanted);
        if (cpus_.empty())
            throw not_on_this_machine(fmt::format("this machine has no two usable CPUs for --affinity {}",
                                                  to_string(options_.pinning)));
        return cpus_.size();
    }

    void work(std::size_t self) {
        if (self < cpus_.size()) pin_to(cpus_[self]);
        for (std::uint64_t batch = 0; !stop_.load(std::memory_order_relaxed); ++batch) {
            const std::uint32_t* order = orders_[batch % orders_.size()].data();
            run_batch(self, batch, order);
            meeting_.meet(self);
            gather(self, order);
            if (self == 0) decide(batch);
            meeting_.meet(self);
        }
    }

    void run_batch(std::size_t self, std::uint64_t batch, const std::uint32_t* order) {
        const bool turns = workers_ < test_.threads;
        // Every worker draws the same numbers, and so knows who runs what.
        std::mt19937_64 random(options_.seed * 0x9e3779b97f4a7c15u + batch);
        std::vector<std::uint64_t> roles(test_.threads);
        std::iota(roles.begin(), roles.end(), std::uint64_t{0});
        if (turns) std::shuffle(roles.begin(), roles.end(), random);
        std::vector<std::uint64_t> mine;
        for (std::uint64_t r = self; r < test_.threads; r += workers_) mine.push_back(roles[r]);

        const std::uint64_t n = options_.size;
        std::uint64_t group = options_.group;
        if (group == 0) group = turns ? 1 + random() % turn_longest : default_group;
        if (options_.sync == synchronisation::none && !turns) group = n;
        if (options_.flush)
            for (const std::uint64_t r : mine) test_.flush[r](instances_.get(), order, 0, n);
        if (options_.touch)
            for (const std::uint64_t r : mine) test_.touch[r](instances_.get(), order, 0, n);
        meeting_.meet(self);
        std::mt19937 own(static_cast<unsigned>(options_.seed + batch * 31 + self));
        const bool in_steps = turns && batch % 2 == 1;
        // Taking turns, workers that run free drift so far apart that no store is still in a buffer
        // when the other side looks; meeting before each group costs speed. So a quarter of the batches do.
        const bool meet_often = options_.sync != synchronisation::none || (turns && batch % 8 >= 6);
        for (std::uint64_t from = 0; from < n; from += group) {
            const std::uint64_t to = std::min(n, from + group);
            if (from != 0 && meet_often) together(self);
            if (turns)
                take_turns(order, from, to, mine, in_steps, own);
            else
                for (const std::uint64_t r : mine) test_.run[r](instances_.get(), order, from, to, outs_[r]);
        }
    }

    /// Runs several threads of the test on this CPU, in random order: each to its end before the next,
    /// or `in_steps`, an instruction of any of them at a time, for what is seen only by a thread that
    /// lost its CPU in the middle.
    void take_turns(const std::uint32_t* order, std::uint64_t from, std::uint64_t to,
                    std::vector<std::uint64_t> left, bool in_steps, std::mt19937& random) {
        std::vector<std::uint64_t> next(test_.threads, 0); // step of each thread
        while (!left.empty()) {
            const std::size_t at = random() % left.size();
            const std::uint64_t r = left[at];
            const bool step = in_steps && test_.steps[r] != 0;
            if (step)
                test_.step[r][next[r]](instances_.get(), order, from, to, outs_[r], saved_[r].data());
            else
                test_.run[r](instances_.get(), order, from, to, outs_[r]);
            // Without it the CPU's next thread would read this one's stores from the store buffer
            // before anyone else can, which no two real threads may.
            drain_stores();
            if (step && ++next[r] < test_.steps[r]) continue;
            left[at] = left.back();
            left.pop_back();
        }
    }

    void together(std::size_t self) {
        if (options_.sync == synchronisation::timebase) {
            if (self == 0) start_tick_.store(now_ticks() + start_delay, std::memory_order_relaxed);
            meeting_.meet(self); // publishes start_tick_
            const std::uint64_t start = start_tick_.load(std::memory_order_relaxed);
            while (now_ticks() < start) {
            }
            return;
        }
        meeting_.meet(self);
        if (options_.sync == synchronisation::fence) drain_stores();
    }

    void gather(std::size_t self, const std::uint32_t* order) {
        const std::uint64_t to = options_.size * (self + 1) / workers_;
        for (std::uint64_t k = options_.size * self / workers_; k < to;) {
            k = test_.collect(instances_.get(), order, k, to, outs_.data(), tallies_[self]->table());
            if (k < to) tallies_[self]->drain();
        }
    }

    /// Worker 0 alone, while the others are on their way to the meeting that publishes `stop_`.
    void decide(std::uint64_t batch) {
        batches_ = batch + 1;
        double done = static_cast<double>(batches_) / static_cast<double>(options_.runs);
        if (options_.seconds > 0)
            done = std::chrono::duration<double>(clock::now() - start_).count() / options_.seconds;
        if (batch % 64 == 0) progress_(std::min(done, 1.0));
        stop_.store(done >= 1 || interrupt_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }

    static constexpr std::uint64_t default_group = 1;

    const generated_test& test_;
    const run_options options_;
    const std::atomic<bool>& interrupt_;
    const std::function<void(double)>& progress_;
    std::vector<unsigned> cpus_;
    std::size_t workers_;
    barrier meeting_;
    std::uint64_t instance_stride_ = 0;
    memory instances_;
    std::vector<memory> outs_memory_;
    std::vector<char*> outs_;
    std::vector<std::vector<std::uint64_t>> saved_; // registers of threads that take turns
    std::vector<std::vector<std::uint32_t>> orders_;
    std::vector<std::unique_ptr<tally>> tallies_;
    clock::time_point start_;
    std::uint64_t batches_ = 0;                                    // worker 0's
    alignas(line_bytes) std::atomic<std::uint64_t> start_tick_{0}; // worker 0 writes
    alignas(line_bytes) std::atomic<bool> stop_{false}; // worker 0 writes, all read after a meeting
};

} // namespace

std::optional<synchronisation> synchronisation_from(std::string_view name) {
    for (const synchronisation s :
         {synchronisation::none, synchronisation::user, synchronisation::fence, synchronisation::timebase})
        if (to_string(s) == name) return s;
    return std::nullopt;
}

std::string_view to_string(synchronisation s) {
    switch (s) {
    case synchronisation::none:
        return "none";
    case synchronisation::user:
        return "user";
    case synchronisation::fence:
        return "fence";
    case synchronisation::timebase:
        return "timebase";
    }
    return "none";
}

run_result run_on_hardware(const generated_test& test, std::size_t shown, const run_options& options,
                           const std::atomic<bool>& interrupt, const std::function<void(double)>& progress) {
    return experiment(test, shown, options, interrupt, progress).run();
}

} // namespace ringproof::litmus
