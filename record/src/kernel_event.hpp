// SPDX-License-Identifier: Apache-2.0
#pragma once
// One perf event of the kernel, and its ring.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <linux/perf_event.h>
#include <sys/types.h>

#include <ringproof/direction/backward.hpp>
#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/snapshot.hpp>

namespace ringproof::record_command {

/// The kernel does not let us; the text says what to change.
struct not_permitted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The kernel, or this machine, does not have it.
struct not_available : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What was counted, and how many samples of it found no room.
struct event_count {
    std::uint64_t value = 0;
    std::uint64_t lost = 0; ///< since Linux 6.0; 0 before
};

class kernel_event {
  public:
    /// @param attr read_format is set by this, without what an older kernel refuses
    /// @throws not_permitted, not_available
    kernel_event(const std::string& name, perf_event_attr& attr, pid_t thread, int cpu);
    kernel_event(kernel_event&& other) noexcept;
    kernel_event& operator=(kernel_event&&) = delete;
    ~kernel_event();

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    /// By which its records name it.
    [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
    void enable() const;
    void disable() const;
    /// From now on its records go to the other's ring.
    void set_output(const kernel_event& other) const;
    void pause(bool on) const;
    [[nodiscard]] event_count count() const;

  private:
    int descriptor_ = -1;
    std::uint64_t id_ = 0;
    bool counts_lost_ = false;
};

/// The mapping of an event's ring.
class ring_mapping {
  public:
    /// @param pages of data, a power of two @throws not_permitted, std::system_error
    ring_mapping(const kernel_event& event, std::size_t pages, bool overwritable);
    ring_mapping(const ring_mapping&) = delete;
    ring_mapping& operator=(const ring_mapping&) = delete;
    ~ring_mapping();
    [[nodiscard]] ring_memory memory() const { return mapped_memory_of(base_, length_); }

  private:
    static ring_memory mapped_memory_of(void* base, std::size_t length);
    void* base_;
    std::size_t length_;
};

/// A ring of the kernel that is consumed, read with the core's own reader.
class kernel_ring {
  public:
    kernel_ring(const kernel_event& event, std::size_t pages)
        : mapping_(event, pages, false), ring(mapping_.memory()) {}

  private:
    ring_mapping mapping_;

  public:
    record_ring<single, acquire_release, refuse, perf_abi> ring;
};

/// A ring of the kernel that is overwritten, newest record first.
class overwritable_ring {
  public:
    overwritable_ring(const kernel_event& event, std::size_t pages)
        : event_(&event), mapping_(event, pages, true), reader_(mapping_.memory()) {}

    /// What has been written since the last one. The ring is paused meanwhile; a writer on another CPU that had looked
    /// before is waited for by looking twice.
    [[nodiscard]] snapshot take();

  private:
    const kernel_event* event_;
    ring_mapping mapping_;
    snapshot_reader<backward> reader_;
    std::uint64_t head_ = 0;
};

} // namespace ringproof::record_command
