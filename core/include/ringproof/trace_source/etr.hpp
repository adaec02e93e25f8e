// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ringproof/cxx20.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "ringproof/aux/aux_record.hpp"
#include "ringproof/concepts/clock.hpp"
#include "ringproof/concepts/trace.hpp"
#include "ringproof/contract.hpp"
#include "ringproof/trace_source/etr_memory.hpp"

namespace ringproof {

/// A simulated CoreSight trace router (TMC-ETR): while it runs it writes whatever trace comes into a circular buffer of
/// its own, and asks nobody. Registers: where it writes next, where the oldest byte is, and whether it went around.
class etr_device {
  public:
    explicit etr_device(const etr_translation& buffer) noexcept : buffer_(&buffer) {}

    void start() noexcept { write_at_ = 0, full_ = false, running_ = true; }
    /// No more trace is taken, and what was on its way is in memory.
    void stop() noexcept { running_ = false; }
    [[nodiscard]] bool running() const noexcept { return running_; }

    /// Trace from the program; of several tracers one at a time, as it comes out of a funnel. What comes while it is stopped
    /// is never traced.
    void trace(std::span<const std::byte> bytes) {
        while (running_ && !bytes.empty()) {
            const auto to = buffer_->at(write_at_);
            const std::size_t size = std::min(to.size(), bytes.size());
            std::memcpy(to.data(), bytes.data(), size);
            bytes = bytes.subspan(size);
            write_at_ += size;
            if (write_at_ == buffer_->size()) write_at_ = 0, full_ = true;
        }
    }

    [[nodiscard]] std::size_t write_pointer() const noexcept { return write_at_; }
    [[nodiscard]] std::size_t read_pointer() const noexcept { return full_ ? write_at_ : 0; }
    [[nodiscard]] bool full() const noexcept { return full_; }

  private:
    const etr_translation* buffer_;
    std::size_t write_at_ = 0;
    bool full_ = false, running_ = false;
};

/// What stands in trace where bytes are missing: no decoder takes it for trace, and each starts anew behind it.
inline constexpr std::array<std::uint32_t, 4> barrier_packet{0x7fff'ffff, 0x7fff'ffff, 0x7fff'ffff,
                                                             0x7fff'ffff};

/// The sink of a session: a device with its bounce buffer, which several tracers may use at the same time, and the way
/// from there into an AUX area. Of several tracers the last one to stop copies, into its own area; the others' areas stay
/// as they are.
///
///     auto room = aux.begin();                   // each tracer
///     sink.start(room);                          // the program runs and is traced
///     sink.stop(room);                           // each tracer
///
/// **Gaps are announced.** The device went around, or the area has less room than there is trace: the newest bytes are
/// kept, from a multiple of `alignment` on, the first 16 of them are overwritten by a barrier packet, and the AUX record
/// says `truncated`. In snapshot mode (an `aux_window`) there is no truncation, since that would stop the source, but the
/// barrier packet is there.
///
/// @tparam Mutex over starting, stopping and copying: else a tracer that starts would have the device write into what the
/// last one is copying
/// @par Threads
/// Each tracer its own, with its own area.
/// @par Verified by
/// verify/scenarios/ring/etr.cpp
///
/// After tmc_update_etr_buffer in drivers/hwtracing/coresight/coresight-tmc-etr.c of Linux.
template <class Mutex = std::mutex>
class basic_etr_sink {
    static_assert(mutex_policy<Mutex> || detail::explain_mutex<Mutex>());

  public:
    /// @param device writes the buffer; it must outlive this
    /// @param buffer the device's buffer; it must outlive this
    /// @param alignment bytes, 16 (a frame) or 32 (of a bus 256 bits wide)
    /// @throws std::invalid_argument for another
    basic_etr_sink(etr_device& device, const etr_translation& buffer, std::size_t alignment = 16)
        : device_(&device), buffer_(&buffer), alignment_(alignment) {
        if (alignment != 16 && alignment != 32)
            throw std::invalid_argument("trace of an ETR is aligned to 16 or 32 bytes");
    }

    /// A tracer begins. @param room its transaction @return false when that is not open: then nothing is traced, rather
    /// than traced for nobody
    template <class Transaction>
    bool start(const Transaction& room) {
        if (!room) return false;
        const std::lock_guard lock(mutex_);
        if (users_++ == 0) device_->start();
        return true;
    }

    /// Ends a tracer's part; `room` is the transaction that it began with, and is committed.
    /// @return how many bytes were copied; 0 while others trace
    template <class Transaction>
    std::size_t stop(Transaction&& room) {
        const std::lock_guard lock(mutex_);
        RINGPROOF_CONTRACT(users_ != 0, "a tracer stops that has not started");
        if (--users_ != 0) {
            room.commit();
            return 0;
        }
        device_->stop();
        const bool full = device_->full();
        std::size_t size = full ? buffer_->size() : device_->write_pointer();
        std::size_t from = device_->read_pointer();
        bool lost = full;
        if constexpr (detail::is_bounded<
                          std::remove_cvref_t<Transaction>>()) { // with a window there is always room
            if (const std::uint64_t most = room.room(); size > most) {
                const auto kept = static_cast<std::size_t>(most) / alignment_ * alignment_;
                // The newest, and the packet where *they* begin.
                from = (from + (size - kept)) % buffer_->size();
                size = kept;
                lost = true;
            }
        }
        if (size == 0) {
            if (lost) room.flag(aux_flag::truncated);
            room.commit();
            return 0;
        }
        if (lost) put_barrier(from, size);
        for (std::size_t done = 0; done != size;) {
            const std::size_t at = (from + done) % buffer_->size();
            const auto piece = buffer_->at(at);
            const std::size_t many = std::min({piece.size(), size - done, buffer_->size() - at});
            room.append(piece.first(many));
            done += many;
        }
        if (lost) room.flag(aux_flag::truncated);
        room.commit();
        return size;
    }

    [[nodiscard]] unsigned users() const {
        const std::lock_guard lock(mutex_);
        return users_;
    }

  private:
    void put_barrier(std::size_t at, std::size_t size) const {
        const auto raw = std::as_bytes(std::span(barrier_packet));
        for (std::size_t i = 0; i != std::min(raw.size(), size); ++i)
            buffer_->at((at + i) % buffer_->size())[0] = raw[i];
    }

    etr_device* device_;
    const etr_translation* buffer_;
    std::size_t alignment_;
    mutable Mutex mutex_;
    unsigned users_ = 0;
};

using etr_sink = basic_etr_sink<>;

} // namespace ringproof
