// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <unistd.h>

#include "ringproof/barriers.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/full/refuse.hpp"
#include "ringproof/layout/padded.hpp"
#include "ringproof/producer/one_cpu.hpp"
#include "ringproof/record.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/restartable.hpp"
#include "ringproof/ring_memory.hpp"
#include "ringproof/wake/silent.hpp"

namespace ringproof {

/// One ring for each CPU, as perf has them: any thread writes to the ring of the CPU it is on, so writers on different
/// CPUs have no line in common and none needs a locked instruction. A thread that is moved goes on in another ring.
///
///     rings.write(bytes);                        rings.consume([](unsigned cpu, const record& r) { … });
///
/// A thread's records are in order within each ring; across rings they need a time stamp in the payload.
///
/// @tparam Full `refuse` or `keep_oldest`; LOST records have the CPU's number as their id
/// @par Threads
/// Producers' functions: any thread and signal handler. Consumer's: one thread at a time for each ring.
template <class Full = refuse, class Barriers = acquire_release, class Wake = silent>
class per_cpu_rings {
  public:
    using ring = record_ring<one_cpu, Barriers, Full, padded, Wake>;
    using reservation = typename ring::reservation;

    /// @param capacity bytes of each ring, a power of two, at least 64
    /// @param options of each ring, apart from `id`
    /// @throws std::invalid_argument, with the reason
    explicit per_cpu_rings(std::size_t capacity, ring_options options = {}) {
        const long configured = ::sysconf(_SC_NPROCESSORS_CONF);
        for (long cpu = 0; cpu < (configured < 1 ? 1 : configured); ++cpu) {
            options.id = static_cast<std::uint64_t>(cpu);
            rings_.push_back(std::make_unique<ring>(ring_memory::heap(capacity), options));
        }
    }

    /// Why reservations need a locked instruction here, or nullptr: they don't.
    [[nodiscard]] static const char* locked_because() noexcept { return restartable::missing(); }

    // ---- producers -----------------------------------------------------------------------------

    /// Reserves room in the ring of the CPU the thread is on; it stays there, wherever the thread goes. A record that is
    /// refused is lost and counted.
    [[nodiscard]] reservation begin(std::size_t payload, record_tag tag = {}) noexcept {
        for (;;) {
            reservation result = here().begin(payload, tag);
            if (result.why() != refusal::elsewhere || homeless()) return result;
        }
    }

    /// The same for a caller who will try again: a refusal is not counted.
    [[nodiscard]] reservation try_begin(std::size_t payload, record_tag tag = {}) noexcept {
        for (;;) {
            reservation result = here().try_begin(payload, tag);
            if (result.why() != refusal::elsewhere || stranger()) return result;
        }
    }

    /// Writes one record; refused, it is lost and counted. @return whether it was written
    bool write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        const reservation room = begin(payload.size(), tag);
        room.copy_from(payload);
        return static_cast<bool>(room);
    }

    /// The same for a caller who will try again.
    [[nodiscard]] bool try_write(std::span<const std::byte> payload, record_tag tag = {}) noexcept {
        const reservation room = try_begin(payload.size(), tag);
        room.copy_from(payload);
        return static_cast<bool>(room);
    }

    // ---- consumer ------------------------------------------------------------------------------

    [[nodiscard]] std::size_t size() const noexcept { return rings_.size(); }
    /// @param cpu less than `size()`, a contract
    [[nodiscard]] ring& operator[](std::size_t cpu) noexcept { return *rings_[known(cpu)]; }
    [[nodiscard]] const ring& operator[](std::size_t cpu) const noexcept { return *rings_[known(cpu)]; }

    /// Calls `use(cpu, record)` for what is there, ring by ring. @return how many
    template <class Use>
    std::size_t consume(Use&& use) {
        std::size_t count = 0;
        for (std::size_t cpu = 0; cpu != rings_.size(); ++cpu)
            count += rings_[cpu]->consume([&](const record& one) { use(static_cast<unsigned>(cpu), one); });
        return count;
    }

    // ---- anybody -------------------------------------------------------------------------------

    /// How many records were refused.
    [[nodiscard]] std::uint64_t lost() const noexcept {
        std::uint64_t sum = Barriers::stat(strangers_);
        for (const auto& one : rings_) sum += one->lost();
        return sum;
    }

  private:
    [[nodiscard]] std::size_t known(std::size_t cpu) const noexcept {
        RINGPROOF_CONTRACT(cpu < rings_.size(), "there is a ring for each CPU from 0 to size() - 1");
        return cpu;
    }

    [[nodiscard]] ring& here() noexcept {
        const unsigned cpu =
            locked_because() == nullptr ? Barriers::template cpu<restartable>() : restartable::hint();
        return *rings_[cpu < rings_.size() ? cpu : 0];
    }

    /// On no CPU that was there when the rings were made, or a thread that the C library did not start.
    [[nodiscard]] bool stranger() const noexcept {
        return Barriers::template cpu<restartable>() >= rings_.size();
    }
    [[nodiscard]] bool homeless() noexcept {
        if (!stranger()) return false;
        Barriers::count_shared(strangers_, std::uint64_t{1});
        return true;
    }

    std::vector<std::unique_ptr<ring>> rings_;
    alignas(line_pair) std::atomic<std::uint64_t> strangers_{0};
};

} // namespace ringproof
