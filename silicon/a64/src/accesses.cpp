// SPDX-License-Identifier: Apache-2.0
// Loads and stores. What a load returns is put where it looks for it; what a store writes is read there afterwards.
#include "bytes.hpp"
#include "thread_run.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ringproof::silicon::a64 {
namespace {

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
    if (i.what == kind::load) {
        const register_bytes loaded = registers_at(i, address);
        cpu_.set(i.data, loaded.of[0]);
        if (i.count > 1) cpu_.set(i.second, loaded.of[1]);
    } else {
        put_registers({{cpu_.value(i.data), cpu_.value(i.second)}}, i, address);
    }
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
    if (!known(of_first) || !known(of_second)) ++effects_; // it may differ each time
    origins_.set_memory(address, half, of_first);
    if (i.count > 1) origins_.set_memory(address + half, half, of_second);
    return next::on;
}

/// Each access of the machine, cut where others access a part of it. It does not access 16 bytes as one, but for pairs of
/// exclusives and CASP; and what is not aligned byte by byte.
pieces_of_access thread_run::pieces_of(const instruction& i, std::uint64_t address) {
    constexpr std::uint32_t largest_piece = 8;
    pieces_of_access found{address, address % i.single == 0 ? i.single : 1u, {}};
    const std::uint32_t step = std::min(found.bytes, largest_piece);
    for (std::uint64_t a = address; a < address + std::uint32_t{i.bytes} * i.count; a += step) {
        const std::vector<piece> some = sharing_.pieces_of(a, step);
        if (some.empty()) throw learnt(fmt::format("{:#x} is accessed in pieces", a));
        found.all.insert(found.all.end(), some.begin(), some.end());
    }
    return found;
}

thread_run::next thread_run::shared_access(const instruction& i, std::uint64_t address) {
    const bool pair = i.count > 1 && (i.exclusive || i.what == kind::exchange);
    const std::uint32_t alignment = pair ? 2u * i.bytes : i.single;
    if ((i.acquire || i.acquire_pc || i.release || i.exclusive || i.what == kind::exchange) &&
        address % alignment != 0)
        refuse(
            fmt::format("an atomic access of {} bytes at {:#x} is not aligned: it may fault on the machine",
                        std::uint32_t{i.bytes} * i.count, address));
    const pieces_of_access pieces = pieces_of(i, address);
    switch (i.what) {
    case kind::load:
        return load(i, pieces);
    case kind::store:
        return store(i, pieces);
    case kind::store_exclusive:
        return store_exclusive(i, pieces);
    default:
        return exchange(i, pieces);
    }
}

namespace {

/// By piece: the number that those of one access of the machine share, and no others of the thread.
std::vector<std::uint32_t> numbers_of(const pieces_of_access& pieces, std::size_t first_event) {
    const auto access_of = [&](std::size_t k) {
        return static_cast<std::uint32_t>((pieces.all[k].address - pieces.address) / pieces.bytes);
    };
    std::vector<std::uint32_t> numbers;
    for (std::size_t k = 0; k < pieces.all.size(); ++k) {
        const std::uint32_t own = access_of(k);
        const bool with_last = k > 0 && access_of(k - 1) == own;
        const bool with_next = k + 1 < pieces.all.size() && access_of(k + 1) == own;
        numbers.push_back(with_last || with_next ? static_cast<std::uint32_t>(first_event) + own + 1 : 0);
    }
    return numbers;
}

/// The register that a piece belongs to, of a pair.
std::size_t register_of(const instruction& i, const pieces_of_access& pieces, const piece& p) {
    return p.address < pieces.address + i.bytes ? 0 : 1;
}

} // namespace

std::array<shared_origin, 2> thread_run::add_reads(const instruction& i, const pieces_of_access& pieces) {
    std::array<shared_origin, 2> of;
    index_set beside;
    const std::vector<std::uint32_t> numbers = numbers_of(pieces, result_->events.size());
    for (std::size_t k = 0; k < pieces.all.size(); ++k) {
        const piece& p = pieces.all[k];
        event e = access_event(i, p.address, p.bytes);
        e.is_read = true;
        e.beside = beside;
        e.single = numbers[k];
        if (i.what == kind::exchange) {
            e.atomic = true;
            e.release = false;
            // Whose old value no register takes, an atomic instruction acquires nothing (the manual's LDADD, SWP).
            e.no_return = i.does != operation::compare && i.expected == no_register;
            if (e.no_return) e.acquire = false;
        }
        const std::size_t read = add(std::move(e));
        beside.insert(read);
        memory_.keep(p.address, p.bytes);
        write_word(loaded(read).value_or(word{}), p.address, p.bytes);
        shared_origin& o = of[register_of(i, pieces, p)];
        o = both(o, from_read(read));
    }
    return of;
}

void thread_run::add_writes(const instruction& i, const pieces_of_access& pieces,
                            std::optional<std::size_t> first_read, const shared_origin& computed) {
    const std::array<shared_origin, 2> data{both(origins_.of(i.data), computed),
                                            both(origins_.of(i.second), computed)};
    index_set beside;
    const std::vector<std::uint32_t> numbers = numbers_of(pieces, result_->events.size());
    bool changes = !first_read || pieces.all.size() > 1;
    for (std::size_t k = 0; k < pieces.all.size(); ++k) {
        const piece& p = pieces.all[k];
        event e = access_event(i, p.address, p.bytes);
        e.is_write = true;
        e.acquire = false;
        e.beside = beside;
        e.single = numbers[k];
        e.atomic = i.what == kind::exchange;
        if (first_read) e.rmw_read = static_cast<int>(*first_read + k);
        const shared_origin& from = data[register_of(i, pieces, p)];
        if (from) {
            e.data_from = from->from;
            e.picked_data = from->picked;
        }
        const std::optional<word> stored =
            known(from) ? std::optional(read_word(p.address, p.bytes)) : std::nullopt;
        const std::size_t write = add(std::move(e), stored);
        beside.insert(write);
        changes =
            changes || !result_->events[*first_read].acquire || !stored || stored != loaded(*first_read);
        if (!changes) idle_.insert(write);
    }
    if (changes) ++effects_;
}

thread_run::next thread_run::load(const instruction& i, const pieces_of_access& pieces) {
    const std::size_t first = result_->events.size();
    const std::array<shared_origin, 2> of = add_reads(i, pieces);
    if (i.exclusive)
        exclusive_ = load_exclusive{pieces.address, std::uint32_t{i.bytes} * i.count, first, pc_};
    step_access(i, pieces.address);
    origins_.set(i.data, of[0]);
    if (i.count > 1) origins_.set(i.second, of[1]);
    return next::on;
}

thread_run::next thread_run::store(const instruction& i, const pieces_of_access& pieces) {
    for (const piece& p : pieces.all) memory_.keep(p.address, p.bytes);
    step_access(i, pieces.address);
    add_writes(i, pieces, {}, nullptr);
    return next::on;
}

} // namespace ringproof::silicon::a64
