// SPDX-License-Identifier: Apache-2.0
#pragma once
// A ring of the kernel, a writer on its CPU, libperf's reader on another, and what must hold between them.

#include "world.h"

#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/verify.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <thread>

namespace ringproof::kernel {

/// What a record of `words` words takes in the ring.
constexpr unsigned long bytes(int words) { return 8 + 8 * static_cast<unsigned long>(words); }

class ring {
  public:
    explicit ring(ring_shape shape, std::initializer_list<kernel_change> changes = {}) {
        for (const kernel_change change : changes) change_kernel(change);
        event_ = kernel_open(shape);
        reader_open(shape.backward);
    }
    ~ring() {
        reader_close();
        kernel_close(event_);
    }
    ring(const ring&) = delete;
    ring& operator=(const ring&) = delete;

    perf_event* event() const { return event_; }

    /// Writes one record whose words all hold `value`. Each value once.
    void write(std::uint64_t value, int words) {
        if (kernel_write(event_, value, words)) {
            outcome_[value] = published;
        } else {
            outcome_[value] = refused;
            verify::cover("full");
        }
    }

    /// One look of the reader: every record that is there, by the loop that libperf documents but for its last line.
    /// @return how many it delivered
    unsigned drain() {
        if (reader_begin() < 0) return 0;
        unsigned n = 0;
        while (const perf_record* record = reader_next()) {
            take(*record);
            reader_consume();
            ++n;
        }
        return n;
    }

    void take(const perf_record& record) {
        if (record.type == record_of_loss) {
            VERIFY_THAT(record.size == 24);
            told_ += static_cast<unsigned>(record.words[1]);
            verify::cover("LOST");
            return;
        }
        VERIFY_THAT(record.type == record_of_ours);
        VERIFY_THAT(record.size > 8 && record.size <= sizeof(perf_record));
        const std::uint64_t value = record.words[0];
        for (int i = 1; i < (record.size - 8) / 8; ++i) VERIFY_THAT(record.words[i] == value); // whole
        VERIFY_THAT(value < values && (seen_ >> value & 1) == 0);                              // once
        seen_ |= std::uint64_t{1} << value;
        if (value < 16) { // of the task itself; what interrupts it has larger numbers
            VERIFY_THAT(value > last_);
            last_ = value;
        }
    }

    /// At rest, when the writer has ended: everything is published, and each record is delivered or counted as lost.
    void at_rest() {
        VERIFY_THAT(kernel_nest(event_) == 0);
        VERIFY_THAT(kernel_data_head(event_) == kernel_reserved(event_));
        drain();
        unsigned losses = 0;
        const std::uint64_t seen = seen_;
        const auto outcome = outcome_; // read at once
        for (unsigned value = 0; value < values; ++value) {
            VERIFY_THAT((seen >> value & 1) == (outcome[value] == published));
            losses += outcome[value] == refused;
        }
        VERIFY_THAT(told_ + kernel_lost(event_) == losses);
        VERIFY_THAT(kernel_refused(event_) == losses);
    }

    std::uint64_t seen() const { return seen_; }

  private:
    static constexpr unsigned values = 24;
    enum : unsigned char { published = 1, refused };

    perf_event* event_;
    std::array<unsigned char, values> outcome_{}; // the writers', each its own
    // The reader's.
    unsigned told_ = 0;
    std::uint64_t seen_ = 0, last_ = 0;
};

} // namespace ringproof::kernel
