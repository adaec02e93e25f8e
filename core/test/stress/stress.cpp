// SPDX-License-Identifier: Apache-2.0
// Real threads on one ring, bounded by a number of items, not by time:
//
//     core_stress spsc|mpsc|single|shared|all [--items N] [--producers N] [--capacity N] [--lossy] [--weaken A|B|C|D]
//                 [--barriers acquire_release|fences|control_dependency]
//
// Every item says who wrote it and as which; the consumer checks order, completeness and content. With
// --lossy a refused item is dropped, and delivered + lost must be what was attempted. Exit code 0, 1 when
// something was wrong, 2 for bad arguments.
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <thread>
#include <vector>

#include "ringproof/mpsc_queue.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/spsc_queue.hpp"
#include "weakened.hpp"

namespace {

struct options {
    std::string_view shape;
    std::uint64_t items = 200'000; ///< of each producer
    unsigned producers = 3;
    std::size_t capacity = 0; ///< 0: the smallest that makes sense
    bool lossy = false;
    char weaken = 0;
    std::string_view barriers = "acquire_release";
};

constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{4096};

[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 31)) * 0x9e37'79b9'7f4a'7c15;
    return x ^ (x >> 29);
}

struct item {
    std::uint64_t producer, sequence, checksum;

    static item make(std::uint64_t producer, std::uint64_t sequence) noexcept {
        return {producer, sequence, mix(producer << 40 ^ sequence)};
    }
};

/// What the consumer holds against what it gets.
class ledger {
  public:
    ledger(unsigned producers, bool lossy) : next_(producers), lossy_(lossy) {}

    void enter(const item& got) {
        if (got.producer >= next_.size() || got.checksum != item::make(got.producer, got.sequence).checksum)
            return complain("content", got);
        auto& next = next_[got.producer];
        if (lossy_ ? got.sequence < next : got.sequence != next) complain("order", got);
        next = got.sequence + 1;
        ++delivered_;
    }

    void complain(const char* what, const item& got) {
        if (wrong_++ < 10)
            std::fprintf(stderr, "wrong %s: item %llu of producer %llu\n", what,
                         static_cast<unsigned long long>(got.sequence),
                         static_cast<unsigned long long>(got.producer));
    }

    [[nodiscard]] bool close(const char* shape, std::uint64_t attempted, std::uint64_t lost) const {
        const bool complete = delivered_ + lost == attempted && (lossy_ || lost == 0);
        std::printf("%-6s %llu attempted, %llu delivered, %llu lost, %llu wrong%s\n", shape,
                    static_cast<unsigned long long>(attempted), static_cast<unsigned long long>(delivered_),
                    static_cast<unsigned long long>(lost), static_cast<unsigned long long>(wrong_),
                    complete ? "" : ": the sum is not right");
        return complete && wrong_ == 0;
    }

  private:
    std::vector<std::uint64_t> next_;
    bool lossy_;
    std::uint64_t delivered_ = 0;
    std::uint64_t wrong_ = 0;
};

/// Runs the producers against one consumer. `send(item)` makes one attempt and says whether it succeeded;
/// `receive(ledger)` says how many it entered.
template <class Ring, class Send, class Receive>
bool run(const char* shape, Ring& ring, unsigned producers, const options& chosen, Send send,
         Receive receive) {
    ledger book(producers, chosen.lossy);
    std::atomic<unsigned> running{producers};
    std::vector<std::thread> threads;
    for (unsigned producer = 0; producer != producers; ++producer)
        threads.emplace_back([&, producer] {
            for (std::uint64_t i = 0; i != chosen.items; ++i)
                // Few CPUs: whoever is stuck lets the other side run.
                while (!send(item::make(producer, i))) {
                    std::this_thread::yield();
                    if (chosen.lossy) break;
                }
            if constexpr (Ring::batches) ring.flush();
            running.fetch_sub(1);
        });
    for (;;) {
        const bool last_round = running.load() == 0;
        if (receive(book) != 0) continue;
        if (last_round) break;
        std::this_thread::yield();
    }
    for (auto& thread : threads) thread.join();
    return book.close(shape, chosen.items * producers, ring.lost());
}

template <class Queue>
bool items(const char* shape, unsigned producers, const options& chosen) {
    Queue queue(chosen.capacity != 0 ? chosen.capacity : 8, near_the_wrap);
    return run(
        shape, queue, producers, chosen,
        [&](const item& one) {
            if (chosen.lossy) return queue.push_or_lose(one);
            if (one.sequence % 7 == 0) return queue.try_push_n(&one, 1) == 1;
            return queue.try_push(one);
        },
        [&, round = 0u](ledger& book) mutable {
            if (++round % 3 == 0) {
                item one{};
                if (!queue.try_pop(one)) return std::size_t{0};
                book.enter(one);
                return std::size_t{1};
            }
            return queue.consume([&](item& one) { book.enter(one); });
        });
}

/// A record is an item and 0 to 39 bytes that follow from it.
template <class Ring>
bool records(const char* shape, unsigned producers, const options& chosen) {
    Ring ring(chosen.capacity != 0 ? chosen.capacity : 256, near_the_wrap);
    constexpr std::size_t longest = sizeof(item) + 39;
    const auto image = [](const item& one, std::array<std::byte, longest>& bytes) {
        const std::size_t size = sizeof one + one.checksum % 40;
        std::memcpy(bytes.data(), &one, sizeof one);
        for (std::size_t i = sizeof one; i != size; ++i)
            bytes[i] = static_cast<std::byte>(one.checksum >> i % 56);
        return std::span(bytes).first(size);
    };
    return run(
        shape, ring, producers, chosen,
        [&](const item& one) {
            std::array<std::byte, longest> bytes;
            const auto payload = image(one, bytes);
            if (chosen.lossy) return ring.write(payload);
            auto room = ring.try_begin(payload.size());
            if (!room) return false;
            if (one.checksum % 11 == 0) {
                room.discard();
                return ring.try_write(payload);
            }
            room.copy_from(payload);
            return true;
        },
        [&](ledger& book) {
            const std::size_t count = ring.consume([&](const ringproof::record& record) {
                std::array<std::byte, longest> got, expected;
                const std::size_t size = record.copy_to(got);
                item one{};
                std::memcpy(&one, got.data(), sizeof one);
                const auto payload = image(one, expected);
                if (size != payload.size() || std::memcmp(got.data(), expected.data(), size) != 0)
                    book.complain("content", one);
                book.enter(one);
            });
            if (ring.error() != ringproof::read_error::none) {
                std::fprintf(stderr, "read error %d\n", static_cast<int>(ring.error()));
                std::exit(1);
            }
            return count;
        });
}

template <class Number>
bool number(std::string_view text, Number& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size() && out > 0;
}

bool parse(int argc, char** argv, options& chosen) {
    if (argc < 2) return false;
    chosen.shape = argv[1];
    constexpr std::array<std::string_view, 9> shapes{"spsc",           "spsc-in-band", "spsc-batched",
                                                     "mpsc",           "single",       "single-in-band",
                                                     "single-batched", "shared",       "all"};
    if (std::find(shapes.begin(), shapes.end(), chosen.shape) == shapes.end()) return false;
    for (int i = 2; i != argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--lossy") {
            chosen.lossy = true;
            continue;
        }
        if (++i == argc) return false;
        const std::string_view value = argv[i];
        if (name == "--weaken") {
            if (value.size() != 1 || value[0] < 'A' || value[0] > 'D') return false;
            chosen.weaken = value[0];
        } else if (name == "--barriers") {
            if (value != "acquire_release" && value != "fences" && value != "control_dependency")
                return false;
            chosen.barriers = value;
        } else if (!(name == "--items"       ? number(value, chosen.items)
                     : name == "--producers" ? number(value, chosen.producers)
                     : name == "--capacity"  ? number(value, chosen.capacity)
                                             : false)) {
            return false;
        }
    }
    return true;
}

/// Runs the shapes that were asked for. @return whether all went well
template <class Barriers>
bool run_shapes(const options& chosen) {
    using namespace ringproof;
    const auto want = [&](std::string_view shape) { return chosen.shape == shape || chosen.shape == "all"; };
    bool good = true;
    if (want("spsc")) good &= items<spsc_queue<item, Barriers>>("spsc", 1, chosen);
    if (want("spsc-in-band")) good &= items<spsc_queue<item, Barriers, in_band>>("spsc-in-band", 1, chosen);
    if (want("spsc-batched"))
        good &= items<spsc_queue<item, Barriers, batched<5>>>("spsc-batched", 1, chosen);
    if (want("single-in-band"))
        good &= records<record_ring<single_in_band, Barriers>>("single-in-band", 1, chosen);
    if (want("single-batched"))
        good &= records<record_ring<single_batched<100>, Barriers>>("single-batched", 1, chosen);
    if (want("mpsc")) good &= items<mpsc_queue<item, Barriers>>("mpsc", chosen.producers, chosen);
    if (want("single")) good &= records<record_ring<single, Barriers>>("single", 1, chosen);
    if (want("shared")) good &= records<record_ring<shared, Barriers>>("shared", chosen.producers, chosen);
    return good;
}

bool run_weakened(const options& chosen) {
    switch (chosen.weaken) {
    case 'A':
        return run_shapes<without_a>(chosen);
    case 'B':
        return run_shapes<without_b>(chosen);
    case 'C':
        return run_shapes<without_c>(chosen);
    case 'D':
        return run_shapes<without_d>(chosen);
    default:
        if (chosen.barriers == "fences") return run_shapes<ringproof::fences>(chosen);
        if (chosen.barriers == "control_dependency") return run_shapes<ringproof::control_dependency>(chosen);
        return run_shapes<ringproof::acquire_release>(chosen);
    }
}

} // namespace

int main(int argc, char** argv) try {
    options chosen;
    if (!parse(argc, argv, chosen)) {
        std::fprintf(
            stderr,
            "usage: core_stress spsc|spsc-in-band|spsc-batched|mpsc|single|single-in-band|single-batched|"
            "shared|all [--items N] [--producers N] "
            "[--capacity N] [--lossy] [--weaken A|B|C|D] "
            "[--barriers acquire_release|fences|control_dependency]\n");
        return 2;
    }
    return run_weakened(chosen) ? 0 : 1;
} catch (const std::exception& refused) {
    std::fprintf(stderr, "core_stress: %s\n", refused.what());
    return 2;
}
