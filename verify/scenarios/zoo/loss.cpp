// SPDX-License-Identifier: Apache-2.0
// Losses. A ring that refuses has to say so: delivered + lost = attempted, in numbers that come with the records. The
// mutants of the counter are producers of the core with one function changed.

#include "property.hpp"

#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/record_ring.hpp>

#include <cstdint>

namespace {

using namespace ringproof::zoo;

/// W16d. Symptom: more is reported lost than was ever written, or less. Cause: a refusal is counted on two paths, or not
/// counted while paused.
struct counts_twice : ringproof::single {
    template <class Barriers, class Layout = ringproof::padded>
    struct producer_side : ringproof::single::producer_side<Barriers, Layout> {
        using base = ringproof::single::producer_side<Barriers, Layout>;
        using base::base;
        void count_lost() noexcept { base::count_lost(), base::count_lost(); }
    };
};
struct does_not_count_while_paused : ringproof::single {
    template <class Barriers, class Layout = ringproof::padded>
    struct producer_side : ringproof::single::producer_side<Barriers, Layout> {
        using base = ringproof::single::producer_side<Barriers, Layout>;
        using base::base;
        void count_lost() noexcept {
            if (Barriers::stat(base::paused()) == 0) base::count_lost();
        }
    };
};

template <class Producer>
void every_refusal_is_counted_once() {
    ringproof::record_ring<Producer, ringproof::acquire_release, ringproof::keep_oldest> ring{64};
    unsigned attempted = 0;
    std::uint64_t delivered = 0, told = 0;
    const auto write = [&](unsigned times) {
        for (unsigned i = 0; i != times; ++i, ++attempted)
            static_cast<void>(ring.write(std::as_bytes(std::span(&i, 1))));
    };
    const auto drain = [&] {
        for (const auto record : ring.read())
            if (record.type() == ringproof::record_type::lost)
                told += record.template as<ringproof::lost_record>()->count;
            else
                ++delivered;
    };
    write(6);
    drain();
    write(1);
    ring.pause();
    write(1);
    ring.resume();
    write(1);
    drain();
    RINGPROOF_HOLDS(count, delivered + told + ring.unreported() == attempted);
}

/// W16a. Symptom: the record behind a LOST record is damaged. Cause: LOST is written with its trailer (its time and
/// thread), and reserved without.
template <bool WithTrailer>
void lost_and_what_follows_fit() {
    constexpr std::size_t lost_words = 3, trailer_words = 2, record_words = 2;
    std::uint64_t area[16] = {};
    std::size_t head = 0;
    const auto put = [&](std::uint64_t value, std::size_t words, std::size_t at) {
        for (std::size_t i = 0; i != words; ++i) area[at + i] = value;
    };
    const std::size_t at = head;
    head += lost_words + (WithTrailer ? trailer_words : 0) + record_words;
    put(2, record_words, head - record_words);
    put(1, lost_words + trailer_words, at);
    RINGPROOF_HOLDS(intact, area[head - record_words] == 2);
}

/// W16c. Symptom: the reader gives up in front of good records. Cause: it takes a LOST record that says 0 for damage. One
/// that says 0 is right: the loss was seen before the reservation, and a nested writer told of it first.
template <bool Accepts>
void a_lost_record_of_zero_is_good() {
    const struct {
        bool lost;
        unsigned count;
    } records[] = {{true, 0}, {false, 0}};
    unsigned delivered = 0;
    for (const auto& record : records) {
        if (record.lost && record.count == 0 && !Accepts) break;
        delivered += !record.lost;
    }
    RINGPROOF_HOLDS(live, delivered == 1);
}

} // namespace

VERIFY("W16a: a LOST record's trailer is not reserved", .models = {sc}, .expect = refuted) {
    lost_and_what_follows_fit<false>();
}
VERIFY("W16a, right: a LOST record is reserved with its trailer", .models = {rc11, sc}) {
    lost_and_what_follows_fit<true>();
}
VERIFY("W16c: a reader takes a LOST record of 0 for damage", .models = {sc}, .expect = refuted) {
    a_lost_record_of_zero_is_good<false>();
}
VERIFY("W16c, right: a reader accepts a LOST record of 0", .models = {rc11, sc}) {
    a_lost_record_of_zero_is_good<true>();
}
VERIFY("W16d: a refusal is counted twice", .models = {sc}, .expect = refuted) {
    every_refusal_is_counted_once<counts_twice>();
}
VERIFY("W16e: a refusal is not counted while paused", .models = {sc}, .expect = refuted) {
    every_refusal_is_counted_once<does_not_count_while_paused>();
}
VERIFY("W16d and W16e, right: a refusal is counted once", .models = {rc11, sc}) {
    every_refusal_is_counted_once<ringproof::single>();
}
