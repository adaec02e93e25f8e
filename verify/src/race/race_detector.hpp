// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which accesses race: plain ones with each other and with atomic ones, by shadow memory and the graph's clocks; and
// which location of the graph an atomic access is of.

#include "../graph/graph.hpp"
#include "../program/facts.hpp"
#include "access_history.hpp"
#include "mixed_memory.hpp"
#include "of_thread.hpp"
#include "raced_memory.hpp"
#include "shadow.hpp"

namespace ringproof::verify {

class race_detector {
  public:
    race_detector(search_facts& f, const program& p, graph& g)
        : facts_(f), program_(p), graph_(g), shadow_(p.memory()) {}

    raced_memory& raced() { return raced_; }
    const raced_memory& raced() const { return raced_; }
    mixed_memory& mixed() { return mixed_; }
    const mixed_memory& mixed() const { return mixed_; }
    shadow_memory& shadow() { return shadow_; }
    const shadow_memory& shadow() const { return shadow_; }
    /// From now on threads may have handlers, whose plain accesses race with those of the code they interrupt.
    void heed_handlers() {
        shadow_.heed_handlers(graph_);
        mixed_.forbid("where handlers interrupt threads");
    }

    /// A plain access that `t` is about to make.
    static plain_access access_by(const thread_state& t, bool write, std::uintptr_t site);
    /// Says that an access of `t` races with `other`.
    failure race_failure(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                         bool atomic, std::uintptr_t site, const plain_access& other) const;
    /// The pending atomic access of `t` against the plain accesses of its bytes. @throws refuted, anew
    void check_races(thread_id t, bool write);
    /// Notes an access that `t` is about to make: it may race with one that is left out, see ../reduction/left_out.cpp.
    void note_access(const thread_state& t, std::uintptr_t address, std::size_t size, access_kind kind) {
        if (facts_.speculating && facts_.tried) note_tried(address, size, kind);
        if (facts_.tracing || facts_.speculating || t.alone) return;
        note_history(t, address, size, kind);
        note_unordered(t, address, size, kind);
    }
    access_history& history() { return history_; }
    /// `t` in that, for an access of `granule`. Alike threads, which change places, are several; but for the memory that is
    /// each one's own they are one, as that is one granule there.
    std::uint8_t in_history(const thread_state& t, std::uintptr_t granule) const {
        if (t.first_alike == 0) return static_cast<std::uint8_t>(t.id + 1);
        return is_own(granule, t) ? static_cast<std::uint8_t>(t.first_alike + 1) : accessing_threads::several;
    }
    /// Stands for all granules of the stack of `t` while no other thread is seen to know an address there: one may come to
    /// know it later. It is the last granule of the guard below the stack, which no thread accesses.
    std::uintptr_t unknown_stack_of(thread_id t) const { return program_.memory().stack(t).begin - 8; }
    /// The granule as accesses by it and by those of alike threads are compared, which change places.
    std::uintptr_t common_granule(std::uintptr_t address) const;
    /// The same, for what those access that know of events of `t`.
    std::uintptr_t granule_behind(std::uintptr_t granule, const thread_state& t) const;
    /// Calls f with the granules for what iterations of `t` access: what they race with has one of them.
    template <class Function>
    void each_granule_left_out(std::uintptr_t granule, const thread_state& t, Function f) const {
        f(of_thread(common_granule(granule), t));
        if (may_be_own_of_alike(granule, t)) f(of_alike_thread(common_granule(granule), t));
    }
    /// An atomic access of `l` that is not ordered before what `t` is about to do, or null. @param write whether
    /// that conflicts with reads too
    const event* unordered_access(const thread_state& t, location_id l, bool write) const;
    /// Whether all that other threads ever did is ordered before what `t` does next, and none of them is left to do
    /// more.
    bool is_alone(const thread_state& t) const;
    /// The location that `t` asks for. @throws anew when it has learnt that sizes are mixed; refuted where that is not supported
    location_id location_of(const thread_state& t, const request& what);

    /// Whether the search goes on behind a race with `other`, and has learnt of it just now.
    bool learns(const thread_state& t, const plain_access& other, std::uintptr_t address, std::size_t size) {
        return !other.freed && !other.allocated && other.thread != t.id && raced_.learn(address, size);
    }
    /// The same for a plain access that races with an atomic one.
    bool learns_of_atomic(const thread_state& t, std::uintptr_t address, std::size_t size, bool write);

  private:
    [[noreturn]] void mix_sizes(const thread_state& t, const request& what, location_id other,
                                const event& access);
    [[noreturn]] void refuse_size(const thread_state& t, const request& what);
    void note_tried(std::uintptr_t address, std::size_t size, access_kind kind) const {
        const program::engine_runs engine;
        facts_.tried->push_back(
            {address, size, kind == access_kind::plain_write || kind == access_kind::atomic_write});
    }
    void note_history(const thread_state& t, std::uintptr_t address, std::size_t size, access_kind kind);
    void note_unordered(const thread_state& t, std::uintptr_t address, std::size_t size, access_kind kind);
    struct unordered_access_noted {
        std::uintptr_t granule = 0;
        std::uint64_t sites = 0; ///< of the events that its thread knew of
        access_kind kind{};
        std::uint8_t mask = 0;
        bool operator==(const unordered_access_noted&) const = default;
    };
    void note_behind(const unordered_access_noted& now);
    bool is_told_to_nobody(const thread_state& t, std::uintptr_t address) const;
    bool is_own(std::uintptr_t granule, const thread_state& t) const;
    bool may_be_own_of_alike(std::uintptr_t granule, const thread_state& t) const {
        return t.first_alike != 0 && program_.memory().is_fixed(granule) && !is_own(granule, t);
    }
    template <class Function>
    void each_noted_granule(const thread_state& t, std::uintptr_t address, std::size_t size,
                            Function f) const;

    search_facts& facts_;
    const program& program_;
    graph& graph_;
    shadow_memory shadow_;
    raced_memory raced_;
    mixed_memory mixed_;
    access_history history_;
    /// Some of what was noted of unordered accesses: threads note the same again and again.
    std::array<unordered_access_noted, 1024> noted_{};
    std::uint64_t noted_in_ = 0; ///< hidden_races::number of what has that
};

} // namespace ringproof::verify
