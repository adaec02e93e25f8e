// SPDX-License-Identifier: Apache-2.0
// Counters, variables and sets, each beside one in which a step is missing.

#include "two_flags.hpp"

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

#include <atomic>
#include <mutex>

namespace {

using linear_scenarios::strong_flags, linear_scenarios::weak_flags;

using std::memory_order;
namespace spec = ringproof::verify::linear::spec;

/// Gives each caller the next number.
template <bool AtOnce>
class numbers {
  public:
    int next() {
        if (AtOnce) return next_.fetch_add(1, memory_order::relaxed);
        const int n = next_.load(memory_order::relaxed);
        next_.store(n + 1, memory_order::relaxed);
        return n;
    }

  private:
    std::atomic<int> next_{0};
};

/// The same, but a thread takes two numbers at a time, as allocators of identifiers do.
class numbers_by_twos {
  public:
    int next() {
        const int n = taken_.fetch_add(1, memory_order::relaxed);
        return n % 2 == 0 ? n : n + 2;
    }

  private:
    std::atomic<int> taken_{0};
};

/// The largest value that was given.
template <bool TriesAgain>
class maximum {
  public:
    void give(int v) {
        int now = largest_.load(memory_order::relaxed);
        while (now < v) {
            if (!TriesAgain) return largest_.store(v, memory_order::relaxed);
            if (largest_.compare_exchange_strong(now, v, memory_order::relaxed)) return;
        }
    }
    int get() const { return largest_.load(memory_order::relaxed); }

  private:
    std::atomic<int> largest_{0};
};

/// Two numbers that are written together.
template <bool LooksAgain>
class pair_of_numbers {
  public:
    void write(int v) {
        const std::lock_guard<std::mutex> one_writer(writing_);
        const unsigned n = version_.load(memory_order::relaxed);
        version_.store(n + 1, memory_order::relaxed);
        std::atomic_thread_fence(memory_order::release);
        first_.store(v, memory_order::relaxed);
        second_.store(v, memory_order::relaxed);
        version_.store(n + 2, memory_order::release);
    }
    int read() {
        for (;;) {
            const unsigned n = version_.load(memory_order::acquire);
            const int first = first_.load(memory_order::relaxed),
                      second = second_.load(memory_order::relaxed);
            std::atomic_thread_fence(memory_order::acquire);
            if (!LooksAgain || (n % 2 == 0 && version_.load(memory_order::relaxed) == n))
                return first * 10 + second;
        }
    }

  private:
    std::mutex writing_;
    std::atomic<unsigned> version_{0};
    std::atomic<int> first_{0}, second_{0};
};

/// A set of small numbers, a bit each.
template <bool AtOnce>
class bit_set {
  public:
    bool insert(int v) {
        const unsigned bit = 1u << v;
        if (AtOnce) return (bits_.fetch_or(bit, memory_order::acq_rel) & bit) == 0;
        if (contains(v)) return false;
        bits_.fetch_or(bit, memory_order::acq_rel);
        return true;
    }
    bool erase(int v) {
        const unsigned bit = 1u << v;
        return (bits_.fetch_and(~bit, memory_order::acq_rel) & bit) != 0;
    }
    bool contains(int v) const { return (bits_.load(memory_order::acquire) & 1u << v) != 0; }

  private:
    std::atomic<unsigned> bits_{0};
};

/// The same bits in two words, and `contains` sees them one after the other: as a sum over shards does.
class sum_of_two {
  public:
    void add(int v) { (v % 2 == 0 ? even_ : odd_).fetch_add(v, memory_order::seq_cst); }
    int get() const { return even_.load(memory_order::seq_cst) + odd_.load(memory_order::seq_cst); }

  private:
    std::atomic<int> even_{0}, odd_{0};
};
class sum_of_one {
  public:
    void add(int v) { sum_.fetch_add(v, memory_order::relaxed); }
    int get() const { return sum_.load(memory_order::relaxed); }

  private:
    std::atomic<int> sum_{0};
};

} // namespace

LINEARIZABLE("numbers", .models = {rc11, tso, sc}, .threads = 3) {
    object<numbers<true>>().op("next", &numbers<true>::next);
}
LINEARIZABLE("numbers, mutant: read and written apart", .models = {rc11, tso, sc}, .expect = refuted) {
    object<numbers<false>>().op("next", &numbers<false>::next);
}
LINEARIZABLE("numbers, mutant: by twos", .models = {rc11, tso, sc}, .expect = refuted) {
    using counter = spec::counter;
    object<numbers_by_twos>().like<counter>().op("next", &numbers_by_twos::next, &counter::fetch_increment);
}

LINEARIZABLE("maximum", .models = {rc11, tso, sc}) {
    object<maximum<true>>().op("give", &maximum<true>::give, values(1, 2)).op("get", &maximum<true>::get);
}
LINEARIZABLE("maximum, mutant: stored without looking again", .models = {rc11, tso, sc}, .expect = refuted) {
    object<maximum<false>>().op("give", &maximum<false>::give, values(1, 2)).op("get", &maximum<false>::get);
}

LINEARIZABLE("two flags, sequentially consistent", .models = {rc11, tso, sc}) {
    object<strong_flags>()
        .op("raise_left", &strong_flags::raise_left)
        .op("raise_right", &strong_flags::raise_right)
        .op("left", &strong_flags::left)
        .op("right", &strong_flags::right);
}
LINEARIZABLE("two flags, released and acquired, where nothing is reordered", .models = {sc}) {
    object<weak_flags>()
        .op("raise_left", &weak_flags::raise_left)
        .op("raise_right", &weak_flags::raise_right)
        .op("left", &weak_flags::left)
        .op("right", &weak_flags::right);
}
LINEARIZABLE("two flags, mutant: released and acquired", .models = {rc11, tso}, .expect = refuted) {
    object<weak_flags>()
        .op("raise_left", &weak_flags::raise_left)
        .op("raise_right", &weak_flags::raise_right)
        .op("left", &weak_flags::left)
        .op("right", &weak_flags::right);
}

LINEARIZABLE("pair behind a sequence lock", .models = {rc11, sc}) {
    object<pair_of_numbers<true>>()
        .op("write", &pair_of_numbers<true>::write, values(1))
        .op("read", &pair_of_numbers<true>::read);
}
LINEARIZABLE("pair behind a sequence lock, mutant: the reader does not look again", .models = {rc11, sc},
             .expect = refuted) {
    object<pair_of_numbers<false>>()
        .op("write", &pair_of_numbers<false>::write, values(1))
        .op("read", &pair_of_numbers<false>::read);
}

/// A read that says that it is under way before it reads: who has heard of it may still write before it.
class announced_read {
  public:
    int read() {
        begun_.store(true, memory_order::release);
        return value_.load(memory_order::relaxed);
    }
    void hear() { begun_.load(memory_order::acquire); }
    void write(int value) { value_.store(value, memory_order::relaxed); }

  private:
    std::atomic<bool> begun_{false};
    std::atomic<int> value_{0};
};
LINEARIZABLE("read that is announced before it reads", .synchronisations = 0) {
    object<announced_read>()
        .op("read", &announced_read::read)
        .op("hear", &announced_read::hear)
        .op("write", &announced_read::write, values(1));
}

LINEARIZABLE("set of bits", .models = {rc11, sc}) {
    using set = bit_set<true>;
    object<set>()
        .op("insert", &set::insert, values(1))
        .op("erase", &set::erase, values(1))
        .op("contains", &set::contains, values(1));
}
LINEARIZABLE("set of bits, compared with a specification", .models = {rc11, sc}) {
    using set = bit_set<true>;
    object<set>()
        .like<spec::set>()
        .op("insert", &set::insert, &spec::set::insert, values(1, 2))
        .op("erase", &set::erase, &spec::set::erase, values(1));
}
LINEARIZABLE("set of bits, mutant: looked at before it is written", .models = {rc11, tso, sc},
             .expect = refuted) {
    using set = bit_set<false>;
    object<set>()
        .op("insert", &set::insert, values(1))
        .op("erase", &set::erase, values(1))
        .op("contains", &set::contains, values(1));
}

LINEARIZABLE("sum", .models = {rc11, sc}, .threads = 3, .calls = 1, .synchronisations = 2) {
    object<sum_of_one>().op("add", &sum_of_one::add, values(1, 2)).op("get", &sum_of_one::get);
}
LINEARIZABLE("sum, mutant: of two parts", .models = {rc11, sc}, .threads = 3, .calls = 1,
             .synchronisations = 2, .expect = refuted) {
    object<sum_of_two>().op("add", &sum_of_two::add, values(1, 2)).op("get", &sum_of_two::get);
}
