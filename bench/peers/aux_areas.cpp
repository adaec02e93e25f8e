// SPDX-License-Identifier: Apache-2.0
// Bulk bytes beside a record ring: what arrives through our AUX area, chunk by chunk, announced by AUX records; and what a
// chunk costs its source alone, all of it kept or the newest only, against a memcpy into as much memory.
#include "../src/workload/adapter.hpp"

#include <cstring>
#include <memory>
#include <ringproof/aux/aux_area.hpp>
#include <ringproof/aux/aux_window.hpp>
#include <ringproof/record_ring.hpp>
#include <span>
#include <vector>

namespace ringproof::bench {
namespace {

constexpr std::size_t area_bytes = 1 << 20;

/// Every word of a chunk is its number, so that the consumer can tell a torn or a lost one.
template <std::size_t Bytes>
run_result run_aux(const placement& where, const run_settings& settings) {
    using ring_type = ringproof::record_ring<>;
    ring_type ring(record_queue_bytes);
    ringproof::aux_area<ring_type> area(ring, ring_memory::heap(area_bytes));
    std::uint64_t announced = 0;
    std::atomic<std::uint64_t> sent{~std::uint64_t{0}};
    crew c(settings.times, where.oversubscribed(), settings.priority);
    const auto windows = c.run({
        {where.consumer,
         {},
         [&](worker& w) {
             std::uint64_t words = 0;
             constexpr std::uint64_t each = Bytes / 8;
             const auto take = [&] {
                 announced += ring.consume([](const auto&) {});
                 auto chunk = area.read();
                 if (!chunk) return false;
                 const auto place = chunk.bytes();
                 for (const auto& part : {place.first, place.second})
                     for (std::size_t at = 0; at + 8 <= part.size(); at += 8, ++words) {
                         std::uint64_t word;
                         std::memcpy(&word, part.data() + at, 8);
                         if (word != words / each) return w.fail("a chunk arrived damaged"), false;
                     }
                 return true;
             };
             while (w.keep_going(words / each)) {
                 if (take())
                     w.progressed();
                 else if (!w.wait())
                     return;
             }
             while (sent.load(std::memory_order_acquire) == ~std::uint64_t{0} || words < sent.load() * each)
                 if (!take() && !w.wait()) return;
         }},
        {where.producers[0],
         {},
         [&](worker& w) {
             std::uint64_t n = 0;
             std::array<std::uint64_t, Bytes / 8> chunk;
             while (w.keep_going(n)) {
                 auto transaction = area.begin();
                 if (transaction.room() < Bytes) {
                     transaction.commit(); // nothing
                     if (!w.wait()) break;
                     continue;
                 }
                 w.progressed();
                 chunk.fill(n);
                 transaction.append(std::as_bytes(std::span(chunk)));
                 transaction.commit();
                 ++n;
             }
             sent.store(n, std::memory_order_release);
         }},
    });
    run_result result = detail::collect(c, windows, 0);
    result.more = {{"aux_records", static_cast<double>(announced)}};
    return result;
}

/// A chunk whose words are all its number.
template <std::size_t Bytes>
using chunk_of = std::array<std::uint64_t, Bytes / 8>;

/// The bytes that are there end with chunk `n - 1`, and are whole chunks' words before it.
template <std::size_t Bytes>
bool ends_with(const ring_bytes<const std::byte>& bytes, std::uint64_t n) {
    std::uint64_t left = (bytes.first.size() + bytes.second.size()) / 8;
    bool good = left != 0;
    for (const auto& part : {bytes.first, bytes.second})
        for (std::size_t at = 0; at + 8 <= part.size(); at += 8, --left) {
            std::uint64_t word;
            std::memcpy(&word, part.data() + at, 8);
            good = good && word == n - 1 - (left - 1) / (Bytes / 8);
        }
    return good;
}

/// Room is made by giving back all there is, unread.
template <std::size_t Bytes>
class normal_area {
  public:
    void write(const chunk_of<Bytes>& chunk) {
        auto room = area_.begin();
        if (room.room() < Bytes) {
            room.commit(); // nothing
            ring_.consume([](const auto&) {});
            area_.read().give_back(area_bytes);
            auto again = area_.begin();
            again.append(std::as_bytes(std::span(chunk)));
            return;
        }
        room.append(std::as_bytes(std::span(chunk)));
    }
    bool newest_is(std::uint64_t n) {
        const auto seen = area_.read();
        return ends_with<Bytes>(seen.bytes(), n);
    }

  private:
    record_ring<> ring_{record_queue_bytes};
    aux_area<record_ring<>> area_{ring_, area_bytes};
};

template <std::size_t Bytes>
class window {
  public:
    void write(const chunk_of<Bytes>& chunk) {
        window_.begin().append(std::as_bytes(std::span(chunk)));
        if (ring_.size_guess() > record_queue_bytes / 2) ring_.consume([](const auto&) {});
    }
    bool newest_is(std::uint64_t n) {
        const auto seen = window_.take();
        return ends_with<Bytes>({seen.bytes(), {}}, n);
    }

  private:
    record_ring<> ring_{record_queue_bytes};
    aux_window<record_ring<>> window_{ring_, area_bytes};
};

template <std::size_t Bytes>
class plain_copy {
  public:
    void write(const chunk_of<Bytes>& chunk) {
        std::memcpy(memory_.data() + at_, chunk.data(), Bytes);
        asm volatile("" ::: "memory"); // somebody may look
        at_ = (at_ + Bytes) & (area_bytes - 1);
    }
    bool newest_is(std::uint64_t n) {
        const std::size_t last = (at_ - Bytes) & (area_bytes - 1);
        return ends_with<Bytes>({std::span<const std::byte>(memory_).subspan(last, Bytes), {}}, n);
    }

  private:
    std::vector<std::byte> memory_ = std::vector<std::byte>(area_bytes);
    std::size_t at_ = 0;
};

template <std::size_t Bytes, class Area>
run_result run_source(const placement& where, const run_settings& settings) {
    std::unique_ptr<Area> area;
    crew c(settings.times, false, settings.priority);
    const auto windows = c.run({{where.consumer, [&] { area = std::make_unique<Area>(); },
                                 [&](worker& w) {
                                     std::uint64_t n = 0;
                                     chunk_of<Bytes> chunk{};
                                     while (w.keep_going(n))
                                         for (int k = 0; k < stride; ++k, ++n) {
                                             chunk.fill(n);
                                             area->write(chunk);
                                         }
                                     if (n != 0 && !area->newest_is(n)) w.fail("the newest chunk is damaged");
                                 }}});
    return detail::collect(c, windows, 0);
}

template <std::size_t Bytes, class Area>
void add_source(catalogue& out, const char* peer) {
    entry e;
    e.workload = "aux/chunks:" + std::to_string(Bytes) + "/write";
    e.peer = peer;
    e.bytes = Bytes;
    e.probed = false;
    e.run = run_source<Bytes, Area>;
    out.push_back(std::move(e));
}

template <std::size_t Bytes>
void add_sources(catalogue& out) {
    add_source<Bytes, normal_area<Bytes>>(out, "ringproof");
    add_source<Bytes, window<Bytes>>(out, "ringproof_window");
    add_source<Bytes, plain_copy<Bytes>>(out, "memcpy");
}

template <std::size_t Bytes>
void add(catalogue& out) {
    entry e;
    e.workload = "aux/chunks:" + std::to_string(Bytes) + "/throughput";
    e.peer = "ringproof";
    e.bytes = Bytes;
    e.limit = limit_kind::stream;
    e.run = run_aux<Bytes>;
    out.push_back(std::move(e));
}

} // namespace

void add_aux_areas(catalogue& out) {
    add<256>(out);
    add<4096>(out);
    add<65536>(out);
    add_sources<256>(out);
    add_sources<4096>(out);
    add_sources<65536>(out);
    out.peers.push_back({"memcpy", "bytes, any size", "total", "overwrites the oldest", "not at all",
                         "always", "no", "half a chunk that looks like a whole one"});
}

} // namespace ringproof::bench
