// SPDX-License-Identifier: Apache-2.0
// Read-modify-writes: store-exclusives, and the atomic instructions of Armv8.1.
#include "bytes.hpp"
#include "thread_run.hpp"

#include <bitset>
#include <fmt/format.h>

namespace ringproof::silicon::a64 {
namespace {

std::uint64_t stored_by(operation does, std::uint64_t old, std::uint64_t operand, std::uint32_t bytes) {
    const auto is_signed = [&](std::uint64_t value) {
        const unsigned shift = 64 - 8 * bytes;
        return static_cast<std::int64_t>(value << shift) >> shift;
    };
    operand = cut_to(operand, bytes);
    switch (does) {
    case operation::add:
        return cut_to(old + operand, bytes);
    case operation::clear:
        return old & ~operand;
    case operation::exclusive_or:
        return old ^ operand;
    case operation::set:
        return old | operand;
    case operation::smax:
        return is_signed(old) > is_signed(operand) ? old : operand;
    case operation::smin:
        return is_signed(old) < is_signed(operand) ? old : operand;
    case operation::umax:
        return std::max(old, operand);
    case operation::umin:
        return std::min(old, operand);
    default: // SWP, and CAS that succeeds
        return operand;
    }
}

} // namespace

/// Whether code that fails to store goes back to the load-exclusive at once, and computes all that it needs anew: then a
/// failure changes nothing, and the execution without it shows all that comes of it.
bool thread_run::tries_again(const instruction& i) {
    constexpr std::uint64_t longest = 64;
    const instruction& behind = code_.at(pc_ + 4);
    register_set status;
    status.insert(i.status);
    const std::uint64_t first = behind.target;
    // CBNZ of the status, a W register.
    const std::uint32_t bits = *reinterpret_cast<const std::uint32_t*>(pc_ + 4);
    if (behind.what != kind::branch || bits >> 24 != 0x35 || !(behind.from == status)) return false;
    if (first > exclusive_->code || exclusive_->code >= pc_ || pc_ - first > longest) return false;
    std::bitset<flags + 1> needed, written;
    const auto note = [&](const register_set& from, const register_set& to) {
        from.each([&](register_number r) { needed[r] = needed[r] || !written[r]; });
        to.each([&](register_number r) { written.set(r); });
    };
    for (std::uint64_t code = first; code <= pc_; code += 4) {
        const instruction& one = code_.at(code);
        const bool skips = one.what == kind::branch && one.target >= first && one.target <= pc_;
        if (skips) return false; // what is computed between may be left out
        const bool computes = one.what == kind::plain || one.what == kind::select ||
                              one.what == kind::nothing || one.what == kind::barrier ||
                              (one.what == kind::branch && one.target != 0);
        const bool own = code == exclusive_->code || code == pc_;
        if (!computes && !own) return false;
        register_set from = one.from, to = one.to;
        for (const register_number r : {one.base, one.index}) from.insert(r);
        if (one.what == kind::load)
            for (const register_number r : {one.data, one.second}) to.insert(r);
        else if (own)
            for (const register_number r : {one.data, one.second}) from.insert(r);
        to.insert(one.status);
        note(from, to);
    }
    return (needed & written).none();
}

/// Where a failure changes nothing, it succeeds. A pair is loaded as one where its store succeeds: other writes cannot come
/// between, and the store is one access.
thread_run::next thread_run::store_exclusive(const instruction& i, const pieces_of_access& pieces) {
    if (!exclusive_ || exclusive_->address != pieces.address ||
        exclusive_->bytes != std::uint32_t{i.bytes} * i.count)
        refuse("this store-exclusive belongs to no load-exclusive of its address and size");
    constexpr unsigned most_failures = 3;
    if (!tries_again(i)) {
        const std::optional<bool> fails = ends_early(1, most_failures, true);
        if (!fails) return next::over;
        if (*fails) {
            ++effects_;
            exclusive_.reset();
            cpu_.set(i.status, 1);
            origins_.set(i.status, nullptr);
            cpu_.skip();
            return next::on;
        }
    }
    put_shared(i, pieces, {{cpu_.value(i.data), cpu_.value(i.second)}});
    add_writes(i, pieces, exclusive_->first_read, nullptr);
    exclusive_.reset();
    cpu_.set(i.status, 0);
    origins_.set(i.status, nullptr);
    cpu_.skip();
    return next::on;
}

void thread_run::put_shared(const instruction& i, const pieces_of_access& pieces,
                            const register_bytes& values) {
    for (const piece& p : pieces.all) memory_.keep(p.address, p.bytes);
    put_registers(values, i, pieces.address);
}

register_bytes thread_run::expected_by(const instruction& i) const {
    return {{cut_to(cpu_.value(i.expected), i.bytes), cut_to(cpu_.value(i.second_expected), i.bytes)}};
}

register_bytes thread_run::stored_by_exchange(const instruction& i, const register_bytes& old) const {
    return {
        {stored_by(i.does, old.of[0], cpu_.value(i.data), i.bytes), cut_to(cpu_.value(i.second), i.bytes)}};
}

/// Whether a CAS finds what it expects. Both are tried where that is not known yet: nothing waits for it, as on the
/// machine. @return nothing when the search has to choose first, or when this way is impossible; the run is over then
std::optional<bool> thread_run::compared(const instruction& i, const std::optional<register_bytes>& old) {
    const std::uint32_t place = places_++;
    const bool both_known = old && known(origins_.of(i.expected)) && known(origins_.of(i.second_expected));
    const bool equal = both_known && *old == expected_by(i);
    if (chosen_ < past_.chosen.size() && past_.chosen[chosen_].first == place) {
        const bool succeeds = past_.chosen[chosen_++].second == 0;
        if (!both_known || succeeds == equal) return succeeds;
        stop(run::end::impossible);
        return {};
    }
    if (both_known) return equal;
    result_->asks_at = place;
    result_->alternatives = 2;
    stop(run::end::asks);
    return {};
}

/// Before there are other threads, it is a load and a store.
thread_run::next thread_run::exchange_alone(const instruction& i, std::uint64_t address) {
    const register_bytes old = registers_at(i, address);
    if (i.does != operation::compare || old == expected_by(i))
        put_registers(stored_by_exchange(i, old), i, address);
    if (i.what == kind::exchange) take_old(i, old, {});
    cpu_.set(i.status, 0);
    cpu_.skip();
    return next::on;
}

void thread_run::take_old(const instruction& i, const register_bytes& old,
                          const std::array<shared_origin, 2>& from) {
    cpu_.set(i.expected, old.of[0]);
    origins_.set(i.expected, from[0]);
    cpu_.set(i.second_expected, old.of[1]);
    origins_.set(i.second_expected, from[1]);
}

thread_run::next thread_run::exchange(const instruction& i, const pieces_of_access& pieces) {
    const std::size_t first_read = result_->events.size();
    // The events are there before anybody is asked about them.
    const std::array<shared_origin, 2> from = add_reads(i, pieces);
    const register_bytes there = registers_at(i, pieces.address);
    const std::optional<register_bytes> old =
        known(from[0]) && known(from[1]) ? std::optional(there) : std::nullopt;
    bool writes = true;
    if (i.does == operation::compare) {
        const std::optional<bool> equal = compared(i, old);
        if (!equal) return next::over;
        writes = *equal;
    }
    if (writes) {
        const bool computes = i.does != operation::swap && i.does != operation::compare;
        put_shared(i, pieces, stored_by_exchange(i, there));
        add_writes(i, pieces, first_read, computes ? both(from[0], from[1]) : nullptr);
    }
    take_old(i, there, from);
    cpu_.skip();
    return next::on;
}

} // namespace ringproof::silicon::a64
