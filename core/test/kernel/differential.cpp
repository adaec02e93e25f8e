// SPDX-License-Identifier: Apache-2.0
// The kernel as the judge. A random script (write records, read, pause, resume, change a thread's name to make the
// kernel write) runs on a real perf ring of the kernel and on ours, `nested` in perf's layout, side by side; after
// every step data_head, what was accepted and refused, what the LOST records say and the readiness must agree.
//
//     core_kernel_differential [SCRIPTS] [STEPS] [SEED]
//
// The kernel's records come from a dummy software event: every prctl(PR_SET_NAME) writes one COMM record, at once and
// on this thread. Exit code 0, 1 when something differed, 77 when perf_event_open is not permitted here.
//
// Deviations that we chose, and how they are compared (spec names in brackets):
//   a refused record raises readiness [W12]: expected of ours, and only of ours
//   readiness is a level until the ring was found empty [W13]: the kernel's is added up until then
//   a watermark over half the capacity is cut to that [W11]: only watermarks up to half are compared
// A lost wake-up of nested writers [W10] can't show here: nobody interrupts anybody in this script.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "kernel_ring.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/wake/event_descriptor.hpp"

namespace {

using ring_type = record_ring<nested, acquire_release, keep_oldest, perf_abi, descriptor_wakeup>;

template <class Ring>
std::vector<seen> read(Ring& ring, std::size_t most) {
    std::vector<seen> result;
    ring.consume([&](const record& one) { result.push_back(as_seen(one)); }, most);
    return result;
}

struct totals {
    std::uint64_t steps = 0, records = 0, refused = 0, lost_records = 0, lost = 0, wake_ups = 0,
                  delivered = 0;
};

/// One random script on both rings. Each step returns false as soon as they differ.
class script {
  public:
    script(std::mt19937_64& random, totals& sum)
        : random_(random), sum_(sum), capacity_(mapped_memory::page_size() << pick(2)),
          watermark_(pick(3) == 0 ? 0 : 1 + pick(static_cast<unsigned>(capacity_ / 2))),
          theirs_(capacity_, watermark_), memory_(mapped_memory::shared(capacity_)),
          our_page_(mapped_memory::attach(memory_.descriptor())), their_page_(theirs_.memory()),
          ours_(std::move(memory_), {0, theirs_.id(), watermark_}), their_reader_(theirs_.memory()) {}

    bool run(unsigned steps) {
        for (unsigned step = 0; step != steps; ++step) {
            ++sum_.steps;
            const unsigned what = pick(20);
            const bool same = what < 13 ? write() : what < 17 ? read_both() : what < 19 ? pause() : poll();
            if (!same) return false;
        }
        return true;
    }

  private:
    unsigned pick(std::uint64_t n) { return static_cast<unsigned>(random_() % n); }

    bool differ(const char* what, std::uint64_t kernel, std::uint64_t mine) const {
        std::printf("%s: the kernel %llu, ours %llu; capacity %zu, watermark %u, the script so far:\n", what,
                    static_cast<unsigned long long>(kernel), static_cast<unsigned long long>(mine), capacity_,
                    watermark_);
        for (const auto& line : log_) std::printf("  %s\n", line.c_str());
        return false;
    }

    bool write() {
        const unsigned letters = 1 + pick(15), count = pick(8) == 0 ? 1 + pick(200) : 1 + pick(4);
        log_.push_back("write " + std::to_string(count) + " with " + std::to_string(letters) + " letters");
        for (unsigned i = 0; i != count; ++i)
            if (!write_one(letters)) return false;
        return true;
    }

    bool write_one(unsigned letters) {
        const std::uint64_t before = head_of(their_page_);
        const std::size_t size = kernel_ring::write(letters);
        const bool accepted = head_of(their_page_) != before;
        const std::vector<std::byte> payload(size - sizeof(record_header));
        const bool mine = ours_.write(payload, {comm_type, 0});
        if (accepted != mine) return differ("accepted", accepted, mine);
        ++(accepted ? sum_.records : sum_.refused);
        if (!accepted && !paused_) ready_ = true; // W12
        if (head_of(their_page_) != head_of(our_page_))
            return differ("data_head", head_of(their_page_), head_of(our_page_));
        if (theirs_.take_readiness()) ready_ = true, ++sum_.wake_ups;
        return ours_.ready() == ready_ || differ("ready", ready_, ours_.ready());
    }

    bool read_both() {
        const std::size_t most = pick(3) == 0 ? 1000 : 1 + pick(20);
        log_.push_back("read " + std::to_string(most));
        const auto kernel = read(their_reader_, most), mine = read(ours_, most);
        if (kernel != mine) return differ("records read", kernel.size(), mine.size());
        sum_.delivered += kernel.size();
        for (const auto& one : kernel)
            if (one.type == record_type::lost) ++sum_.lost_records, sum_.lost += one.lost;
        if (their_reader_.error() != read_error::none || ours_.error() != read_error::none)
            return differ("read errors", static_cast<unsigned>(their_reader_.error()),
                          static_cast<unsigned>(ours_.error()));
        if (ours_.size_guess() != 0) return true;
        // Finding it empty is what lowers readiness.
        if (read(ours_, 1).size() + read(their_reader_, 1).size() != 0) return differ("empty", 0, 1);
        ready_ = false;
        return !ours_.ready() || differ("ready when empty", 0, 1);
    }

    bool pause() {
        paused_ = !paused_;
        log_.push_back(paused_ ? "pause" : "resume");
        theirs_.pause(paused_);
        paused_ ? ours_.pause() : ours_.resume();
        return true;
    }

    bool poll() {
        log_.push_back("poll");
        if (theirs_.take_readiness()) ready_ = true;
        pollfd one{ours_.descriptor(), POLLIN, 0};
        const bool mine = ::poll(&one, 1, 0) == 1;
        return mine == ready_ || differ("poll", ready_, mine);
    }

    std::mt19937_64& random_;
    totals& sum_;
    const std::size_t capacity_;
    const std::uint32_t watermark_;
    kernel_ring theirs_;
    ring_memory memory_; // moved into ours_
    const ring_memory our_page_, their_page_;
    ring_type ours_;
    record_ring<nested, acquire_release, refuse, perf_abi> their_reader_; // our reader in both
    bool ready_ = false;                                                  // what ours must say
    bool paused_ = false;
    std::vector<std::string> log_;
};

} // namespace

int main(int argc, char** argv) {
    const auto number = [&](int i, unsigned long fallback) {
        return argc > i ? std::strtoul(argv[i], nullptr, 10) : fallback;
    };
    const auto scripts = number(1, 200), steps = number(2, 200), seed = number(3, 20260101);
    std::array<char, 16> name{};
    ::prctl(PR_GET_NAME, name.data());
    std::mt19937_64 random(seed);
    totals sum;
    for (unsigned long k = 0; k != scripts; ++k)
        if (!script(random, sum).run(static_cast<unsigned>(steps))) {
            std::printf("script %lu of seed %lu\n", k, seed);
            return 1;
        }
    ::prctl(PR_SET_NAME, name.data());
    const auto show = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(
        "%lu scripts, %llu steps: %llu records accepted and %llu refused by both, %llu delivered, %llu LOST "
        "records of %llu losses, %llu wake-ups by watermark, no difference\n",
        scripts, show(sum.steps), show(sum.records), show(sum.refused), show(sum.delivered),
        show(sum.lost_records), show(sum.lost), show(sum.wake_ups));
    return 0;
}
