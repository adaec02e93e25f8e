// SPDX-License-Identifier: Apache-2.0
// Loads and stores. What a load returns is put where it looks for it; what a store writes is read there afterwards.
#include "thread_run.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ringproof::silicon::a64 {
namespace {

std::byte* bytes_at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

word read_word(std::uint64_t address, std::uint32_t bytes) {
    word w;
    std::memcpy(&w.low, bytes_at(address), std::min(bytes, 8u));
    return w;
}
void write_word(const word& w, std::uint64_t address, std::uint32_t bytes) {
    std::memcpy(bytes_at(address), &w.low, std::min(bytes, 8u));
}

std::uint64_t cut_to(std::uint64_t value, std::uint32_t bytes) {
    return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// What the machine does as one access: nothing of 16 bytes, and nothing that is not aligned.
std::uint32_t largest_atom(std::uint64_t address, std::uint32_t bytes) {
    const std::uint32_t most = std::min(bytes, 8u);
    return address % most == 0 ? most : 1;
}

std::int64_t extended(const instruction& i, std::uint64_t index) {
    if (i.index_is_word)
        index = i.index_is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(index))
                                  : index & 0xffff'ffff;
    return static_cast<std::int64_t>(index << i.index_shift);
}

} // namespace

thread_run::next thread_run::access(const instruction& i) {
    address_ = both(origins_.of(i.base), origins_.of(i.index));
    if (!known(address_)) return wait_for(address_->needs);
    std::uint64_t address = cpu_.value(i.base) + static_cast<std::uint64_t>(extended(i, cpu_.value(i.index)));
    if (i.writes_base != indexing::after) address += static_cast<std::uint64_t>(i.offset);
    const std::uint64_t bytes = std::uint64_t{i.bytes} * i.count;
    const memory::place where = memory_.at(address, bytes);
    const bool writes = i.what != kind::load;
    if (where.whose == memory::owner::none || (writes && where.whose == memory::owner::constant))
        return fail(fmt::format("it {} {} bytes at {:#x}, where {}", writes ? "writes" : "reads", bytes,
                                address, writes ? "nothing can be written" : "no memory is"));
    if (alone_ || where.whose == memory::owner::constant) return own_access(i, address, bytes);
    const bool together = i.exclusive || i.acquire || i.acquire_pc || i.release || i.what == kind::exchange;
    switch (sharing_.access(self_, address, bytes, writes, together)) {
    case sharing::answer::own:
        return own_access(i, address, bytes);
    case sharing::answer::shared:
        return shared_access(i, address);
    default:
        throw learnt(fmt::format("{:#x} is shared", address));
    }
}

void thread_run::note_own(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t b = address; b < address + bytes; ++b) {
        // splitmix64's steps (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
        std::uint64_t z = (b << 8 | std::to_integer<std::uint64_t>(*bytes_at(b))) + 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        own_ ^= z ^ (z >> 31);
    }
}

/// VIXL warns of ordered accesses and exclusives, which are no more than accesses of a general register where it steps.
void thread_run::step_access(const instruction& i, std::uint64_t address) {
    if (!i.by_hand) return cpu_.step();
    if (i.what == kind::load)
        cpu_.set(i.data, read_word(address, i.bytes).low);
    else
        write_word({cpu_.value(i.data), 0}, address, i.bytes);
    cpu_.skip();
}

/// Memory of its own is as registers are.
thread_run::next thread_run::own_access(const instruction& i, std::uint64_t address, std::uint64_t bytes) {
    if (i.what != kind::load) {
        memory_.keep(address, bytes);
        note_own(address, bytes);
    }
    const std::uint64_t half = i.bytes;
    const shared_origin of_first =
        i.what == kind::load ? origins_.of_memory(address, half) : origins_.of(i.data);
    shared_origin of_second;
    if (i.count > 1)
        of_second = i.what == kind::load ? origins_.of_memory(address + half, half) : origins_.of(i.second);
    if (i.what == kind::exchange || i.what == kind::store_exclusive) {
        if (!alone_) throw std::logic_error("atomics are of shared memory");
        return exchange_alone(i, address);
    }
    step_access(i, address);
    if (i.what == kind::load) {
        origins_.set(i.data, both(of_first, address_));
        if (i.count > 1) origins_.set(i.second, both(of_second, address_));
        return next::on;
    }
    note_own(address, bytes);
    origins_.set_memory(address, half, of_first);
    if (i.count > 1) origins_.set_memory(address + half, half, of_second);
    return next::on;
}

thread_run::next thread_run::shared_access(const instruction& i, std::uint64_t address) {
    const std::uint32_t bytes = std::uint32_t{i.bytes} * i.count, atom = largest_atom(address, i.bytes);
    std::vector<piece> pieces;
    for (std::uint64_t a = address; a < address + bytes; a += atom) {
        const std::vector<piece> some = sharing_.pieces_of(a, atom);
        if (some.empty()) throw learnt(fmt::format("{:#x} is accessed in pieces", a));
        pieces.insert(pieces.end(), some.begin(), some.end());
    }
    const bool ordered = i.acquire || i.acquire_pc || i.release || i.exclusive || i.what == kind::exchange;
    if (ordered && pieces.size() != 1)
        throw std::invalid_argument(fmt::format("an atomic access of {} bytes at {:#x} is mixed with smaller "
                                                "ones: this is not modelled yet",
                                                bytes, address));
    if (i.acquire || i.acquire_pc || i.release) code_.note_ordering(pc_, calls());
    switch (i.what) {
    case kind::load:
        return load(i, pieces);
    case kind::store:
        return store(i, pieces);
    case kind::store_exclusive:
        return store_exclusive(i, pieces.front());
    default:
        return exchange(i, pieces.front());
    }
}

thread_run::next thread_run::load(const instruction& i, const std::vector<piece>& pieces) {
    index_set beside;
    shared_origin of_first, of_second;
    const std::uint64_t middle = pieces.front().address + i.bytes;
    for (const piece& p : pieces) {
        event e = access_event(i, p.address, p.bytes);
        e.is_read = true;
        e.beside = beside;
        const std::size_t read = add(std::move(e));
        beside.insert(read);
        memory_.keep(p.address, p.bytes);
        write_word(loaded(read).value_or(word{}), p.address, p.bytes);
        shared_origin& of = p.address < middle ? of_first : of_second;
        of = both(of, from_read(read));
        if (i.exclusive) exclusive_ = read;
    }
    step_access(i, pieces.front().address);
    origins_.set(i.data, of_first);
    if (i.count > 1) origins_.set(i.second, of_second);
    return next::on;
}

thread_run::next thread_run::store(const instruction& i, const std::vector<piece>& pieces) {
    const shared_origin of_first = origins_.of(i.data), of_second = origins_.of(i.second);
    const std::uint64_t middle = pieces.front().address + i.bytes;
    ++effects_;
    for (const piece& p : pieces) memory_.keep(p.address, p.bytes);
    step_access(i, pieces.front().address);
    index_set beside;
    for (const piece& p : pieces) {
        event e = access_event(i, p.address, p.bytes);
        const shared_origin& data = p.address < middle ? of_first : of_second;
        e.is_write = true;
        e.beside = beside;
        if (data) {
            e.data_from = data->from;
            e.picked_data = data->picked;
        }
        beside.insert(
            add(std::move(e), known(data) ? std::optional(read_word(p.address, p.bytes)) : std::nullopt));
    }
    return next::on;
}

/// The write of a read-modify-write.
void thread_run::add_second_half(event e, std::optional<word> stored) {
    const auto read = static_cast<std::size_t>(e.rmw_read);
    const bool same = result_->events[read].acquire && stored && stored == loaded(read);
    const std::size_t write = add(std::move(e), stored);
    if (same)
        idle_.insert(write);
    else
        ++effects_;
}

/// It succeeds: one that fails is tried again by whatever the compiler made of it, and changes nothing.
thread_run::next thread_run::store_exclusive(const instruction& i, const piece& where) {
    if (!exclusive_ || result_->events[*exclusive_].address != where.address)
        throw std::invalid_argument(
            fmt::format("the store-exclusive at {:#x} belongs to no load-exclusive of this address", pc_));
    const shared_origin data = origins_.of(i.data);
    event e = access_event(i, where.address, where.bytes);
    e.is_write = true;
    e.rmw_read = static_cast<int>(*exclusive_);
    if (data) {
        e.data_from = data->from;
        e.picked_data = data->picked;
    }
    const word value{cut_to(cpu_.value(i.data), where.bytes), 0};
    add_second_half(std::move(e), known(data) ? std::optional(value) : std::nullopt);
    exclusive_.reset();
    cpu_.set(i.status, 0);
    origins_.set(i.status, nullptr);
    cpu_.skip();
    return next::on;
}

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

/// Whether a CAS finds what it expects. Both are tried where that is not known yet: nothing waits for it, as on the
/// machine. @return nothing when the search has to choose first, or when this way is impossible; the run is over then
std::optional<bool> thread_run::compared(const instruction& i, const std::optional<word>& old) {
    const std::uint32_t place = places_++;
    const bool both_known = old && known(origins_.of(i.expected));
    const bool equal = both_known && old->low == cut_to(cpu_.value(i.expected), i.bytes);
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
    const std::uint64_t old = read_word(address, i.bytes).low;
    const bool writes = i.does != operation::compare || old == cut_to(cpu_.value(i.expected), i.bytes);
    if (writes) write_word({stored_by(i.does, old, cpu_.value(i.data), i.bytes), 0}, address, i.bytes);
    if (i.what == kind::exchange) cpu_.set(i.expected, old);
    cpu_.set(i.status, 0);
    cpu_.skip();
    return next::on;
}

thread_run::next thread_run::exchange(const instruction& i, const piece& where) {
    event e = access_event(i, where.address, where.bytes);
    e.is_read = true;
    e.atomic = true;
    e.release = false;
    // Whose old value no register takes, an atomic instruction acquires nothing (the manual's LDADD, SWP).
    e.no_return = i.does != operation::compare && i.expected == no_register;
    if (e.no_return) e.acquire = false;
    const std::size_t read = result_->events.size();
    const std::optional<word> old = loaded(read);
    bool writes = true;
    if (i.does == operation::compare) {
        // The event is there before anybody is asked about it.
        event as_read = e;
        add(std::move(as_read));
        const std::optional<bool> equal = compared(i, old);
        if (!equal) return next::over;
        writes = *equal;
    } else {
        add(e);
    }
    const shared_origin data = origins_.of(i.data), result = from_read(read);
    if (writes) {
        event w = access_event(i, where.address, where.bytes);
        w.is_write = true;
        w.atomic = true;
        w.acquire = false;
        w.rmw_read = static_cast<int>(read);
        const bool computes = i.does != operation::swap && i.does != operation::compare;
        const shared_origin of = computes ? both(data, result) : data;
        if (of) {
            w.data_from = of->from;
            w.picked_data = of->picked;
        }
        const bool is_known = known(data) && (!computes || old);
        const word value{stored_by(i.does, old.value_or(word{}).low, cpu_.value(i.data), where.bytes), 0};
        add_second_half(std::move(w), is_known ? std::optional(value) : std::nullopt);
    }
    cpu_.set(i.expected, cut_to(old.value_or(word{}).low, where.bytes));
    origins_.set(i.expected, result);
    cpu_.skip();
    return next::on;
}

} // namespace ringproof::silicon::a64
