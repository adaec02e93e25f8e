// SPDX-License-Identifier: Apache-2.0
// Seqlock: readers do not write; a number that is odd while the writer is at work tells them to try again.
// H.-J. Boehm: Can seqlocks get along with programming language memory models? MSPC 2012. (In Linux since 2.5.60.)
//
// Readers look at data that may be changing under their eyes, so by the rules of C++ the data must be atomic, if only
// relaxed. What has to be ordered is then the opposite of publication: the second look at the number comes after the
// data has been read. An acquire load orders what comes behind it, not what comes before.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace {

using std::memory_order;

/// Relaxed atomics, and the same as plain data.
struct relaxed_int {
    void store(int value) { value_.store(value, memory_order::relaxed); }
    int load() const { return value_.load(memory_order::relaxed); }
    std::atomic<int> value_{0};
};
struct plain_int {
    void store(int value) { value_ = value; }
    int load() const { return value_; }
    int value_ = 0;
};

template <class Int, bool ReaderFenced = true, bool WriterFenced = true>
class seqlock {
  public:
    /// One writer.
    void store(int value) {
        const unsigned number = number_.load(memory_order::relaxed);
        if (WriterFenced) {
            number_.store(number + 1, memory_order::relaxed);
            std::atomic_thread_fence(memory_order::release); // who reads the data below sees the odd number
        } else {
            number_.store(number + 1, memory_order::release); // orders what comes before it, not the data
        }
        first_.store(value);
        second_.store(value);
        number_.store(number + 2, memory_order::release);
    }

    /// @return nothing when the writer came in between
    std::optional<std::pair<int, int>> try_load() const {
        const unsigned before = number_.load(memory_order::acquire);
        const std::pair<int, int> seen{first_.load(), second_.load()};
        if (ReaderFenced) std::atomic_thread_fence(memory_order::acquire);
        const unsigned after = number_.load(ReaderFenced ? memory_order::relaxed : memory_order::acquire);
        if (before != after || before % 2 != 0) return std::nullopt;
        return seen;
    }

  private:
    std::atomic<unsigned> number_{0};
    Int first_, second_;
};

template <class Lock>
void readers_see_whole_pairs() {
    Lock lock;
    std::thread writer([&] {
        lock.store(1);
        lock.store(2);
    });
    if (const auto seen = lock.try_load()) {
        VERIFY_THAT(seen->first == seen->second);
        ringproof::verify::cover("whole");
    } else {
        ringproof::verify::cover("turned away");
    }
    writer.join();
}

} // namespace

VERIFY("seqlock: what is not turned away is whole", .models = {rc11, tso, sc},
       .covers = {"whole", "turned away"}) {
    readers_see_whole_pairs<seqlock<relaxed_int>>();
}
VERIFY("seqlock, mutant: the reader's second look is an acquire load without a fence", .expect = refuted) {
    readers_see_whole_pairs<seqlock<relaxed_int, false>>();
}
VERIFY("seqlock, mutant: the writer's first store is a release store without a fence", .expect = refuted) {
    readers_see_whole_pairs<seqlock<relaxed_int, true, false>>();
}
VERIFY("seqlock, mutant: plain data", .models = {rc11, sc}, .expect = refuted) {
    readers_see_whole_pairs<seqlock<plain_int>>();
}
