// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever one calls, in whatever order and with whatever sizes, every record, item and byte of trace that
// was accepted is delivered once, whole and in order, and everything else is counted. And where somebody else writes over
// the control page and the data between the calls, all calls end and stay inside.
//
//     core_fuzz_calls [-max_total_time=60] core/test/fuzz/calls
//
// Input: 1 byte what is used, 1 byte its size, 2 bytes where it begins, then calls: a byte which, and what it asks for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ringproof/aux/aux_area.hpp"
#include "ringproof/layout/between_processes.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/mpsc_queue.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/recorder.hpp"
#include "ringproof/spsc_queue.hpp"

namespace {

using namespace ringproof;
using bytes = std::vector<std::byte>;

void must(bool condition, int line = __builtin_LINE()) {
    if (condition) return;
    std::fprintf(stderr, "line %d: not as it must be\n", line);
    std::abort();
}

/// What is left of the input.
struct script {
    const std::uint8_t* at;
    std::size_t left;

    [[nodiscard]] bool over() const { return left == 0; }
    unsigned byte() {
        if (left == 0) return 0;
        --left;
        return *at++;
    }
    std::uint64_t word(int count = 8) {
        std::uint64_t value = 0;
        for (int i = 0; i != count; ++i) value = value << 8U | byte();
        return value;
    }
    /// Mostly what can fit, now and then anything.
    std::size_t size(std::size_t most) {
        const std::uint64_t wanted = word(2);
        return wanted >> 12U == 0xf ? static_cast<std::size_t>(word())
                                    : static_cast<std::size_t>(wanted % (most + 2));
    }
    bytes payload(std::size_t size) {
        bytes result(size);
        const unsigned first = byte(), step = byte();
        for (std::size_t i = 0; i != size; ++i) result[i] = static_cast<std::byte>(first + i * step);
        return result;
    }
    /// Positions begin near the wrap at 2^64, and elsewhere.
    std::uint64_t start() { return (word(2) - 0x8000) * 8; }
};

bytes copied(const ring_bytes<const std::byte>& from) {
    bytes result(from.first.begin(), from.first.end());
    result.insert(result.end(), from.second.begin(), from.second.end());
    return result;
}

enum class fate { open, committed, discarded };
struct expectation {
    bytes payload;
    fate what;
    std::uint64_t number;
};

/// One thread calls a ring's two sides.
template <class Ring>
class ring_user {
  public:
    explicit ring_user(script& from)
        : from_(from), ring_(ring_memory::heap(std::size_t{64} << from.byte() % 5),
                             {.start = from.start(), .give_back = from.byte() * std::size_t{16}}) {}

    void run() {
        while (!from_.over()) call();
        for (auto& one : open_) one.room.commit(), entry(one.number).what = fate::committed;
        open_.clear();
        ring_.flush();
        // What was known of when the last batch ended, which may be a discarded reservation only; then all.
        read(~std::size_t{0});
        read(~std::size_t{0});
        while (!expected_.empty() && expected_.front().what == fate::discarded) expected_.pop_front();
        must(expected_.empty());
        must(ring_.lost() == refused_);
        must(told_ + ring_.unreported() == refused_);
        must(ring_.size_guess() == 0);
        must(ring_.error() == read_error::none);
    }

  private:
    struct held {
        typename Ring::reservation room;
        std::uint64_t number;
    };

    expectation& entry(std::uint64_t number) { return expected_.at(number - expected_.front().number); }

    void call() {
        switch (from_.byte() % 10) {
        case 0:
        case 1: {
            const std::size_t size = from_.size(ring_.max_payload());
            const bool counted = from_.byte() % 2 == 0;
            if (size > ring_.max_payload()) {
                const auto room = counted ? ring_.begin(size) : ring_.try_begin(size);
                must(!room && room.why() == refusal::too_large);
                refused_ += counted;
                return;
            }
            const bytes payload = from_.payload(size);
            if (counted ? ring_.write(payload) : ring_.try_write(payload))
                expected_.push_back({payload, fate::committed, next_++});
            else
                refused_ += counted;
            return;
        }
        case 2:
        case 3: {
            const std::size_t size = from_.size(ring_.max_payload());
            auto room = ring_.begin(size);
            if (!room) {
                must(room.why() != refusal::none && room.size() == 0 && room.bytes().size() == 0);
                room.commit(), room.discard();
                ++refused_;
                return;
            }
            must(room.size() == size && room.bytes().size() == size);
            const bytes payload = from_.payload(size);
            const std::size_t front = size == 0 ? 0 : from_.byte() % (size + 1);
            must(room.copy_from(std::span(payload).first(front)) == front);
            must(room.copy_from(std::span(payload).subspan(front), front) == size - front);
            must(room.copy_from(payload, size) == 0);
            expected_.push_back({payload, fate::open, next_});
            open_.push_back({std::move(room), next_++});
            return;
        }
        case 4:
        case 5: {
            if (open_.empty()) return;
            const auto which = open_.begin() + static_cast<std::ptrdiff_t>(from_.byte() % open_.size());
            const unsigned how = from_.byte() % 4;
            auto& one = entry(which->number);
            one.what = how == 0 ? fate::discarded : fate::committed;
            if (how == 0) which->room.discard();
            if (how == 1) which->room.commit(), which->room.commit(), which->room.discard();
            if (how == 2) typename Ring::reservation moved(std::move(which->room));
            const held gone = std::move(*which); // with 3: its end commits it
            open_.erase(which);
            return;
        }
        case 6:
            return read(from_.byte() % 8);
        case 7:
            return read(~std::size_t{0});
        case 8:
            return ring_.flush();
        default:
            return from_.byte() % 2 == 0 ? ring_.pause() : ring_.resume();
        }
    }

    void read(std::size_t most) {
        if (most == 0) return; // what a batch has handed out has been read
        std::size_t count = 0;
        auto batch = ring_.read();
        for (auto one : batch) {
            seen(one);
            if (++count % 3 == 2) batch.release();
            if (count == most) return;
        }
        must(batch.error() == read_error::none);
    }

    void seen(const record& one) {
        if (one.type() == record_type::lost) {
            told_ += one.as<lost_record>().value().count;
            return;
        }
        while (!expected_.empty() && expected_.front().what == fate::discarded) expected_.pop_front();
        must(!expected_.empty() && expected_.front().what == fate::committed);
        must(copied(one.bytes()) == expected_.front().payload);
        expected_.pop_front();
    }

    script& from_;
    Ring ring_;
    std::deque<expectation> expected_;
    std::vector<held> open_;
    std::uint64_t next_ = 0, refused_ = 0, told_ = 0;
};

template <class Producer>
void use_ring(script& from) {
    ring_user<record_ring<Producer, acquire_release, keep_oldest>>(from).run();
}

template <class Producer, class Direction>
void use_recorder(script& from) {
    recorder<Producer, Direction> ring(std::size_t{64} << from.byte() % 5, from.start());
    std::vector<bytes> written;
    std::uint64_t refused = 0;
    snapshot kept;
    while (!from.over()) {
        switch (from.byte() % 6) {
        case 0:
            from.byte() % 2 == 0 ? ring.pause() : ring.resume();
            break;
        case 1:
            ring.take_into(kept, from.word());
            break;
        case 2: {
            ring.take_into(kept);
            std::size_t at = written.size();
            for (const auto& one : kept.records()) {
                if (one.type() == record_type::lost) continue;
                must(at-- != 0 && copied(one.bytes()) == written[at]);
            }
            must(kept.error() == snapshot_error::none);
            must(kept.missed_bytes() != 0 || at == 0);
            must(ring.take_since(kept.head()).records().empty());
            break;
        }
        default: {
            const std::size_t size = from.size(ring.max_payload());
            const bytes payload = from.payload(std::min(size, ring.max_payload() + 1));
            if (ring.write(payload))
                written.push_back(payload);
            else
                ++refused;
        }
        }
    }
    must(ring.lost() == refused);
}

template <class Queue>
void use_queue(script& from) {
    Queue queue(std::size_t{2} << from.byte() % 5, from.start());
    std::deque<unsigned> expected;
    unsigned next = 0;
    std::uint64_t lost = 0;
    const auto take = [&](std::unique_ptr<unsigned>& item) {
        must(!expected.empty() && item != nullptr && *item == expected.front());
        expected.pop_front();
    };
    while (!from.over()) {
        switch (from.byte() % 6) {
        case 0:
        case 1:
            if (queue.try_push(std::make_unique<unsigned>(next))) expected.push_back(next++);
            break;
        case 2:
            if (queue.push_or_lose(std::make_unique<unsigned>(next)))
                expected.push_back(next++);
            else
                ++lost;
            break;
        case 3:
            if (auto item = queue.try_pop()) take(*item);
            break;
        case 4:
            queue.consume(take, from.byte() % 9);
            break;
        default: {
            std::vector<std::unique_ptr<unsigned>> many;
            const unsigned count = from.byte() % 40;
            for (unsigned i = 0; i != count; ++i) many.push_back(std::make_unique<unsigned>(next + i));
            const std::size_t done = queue.try_push_n(std::make_move_iterator(many.begin()), many.size());
            for (std::size_t i = 0; i != done; ++i) expected.push_back(next++);
        }
        }
        must(expected.size() <= queue.capacity());
    }
    if constexpr (Queue::batches) queue.flush();
    if (from.at[-1] % 2 == 0) // else they are destroyed with it
        while (queue.consume(take) != 0) {
        }
    must(queue.lost() == lost);
}

void use_trace(script& from) {
    using ring_type = record_ring<>;
    ring_type ring(1024);
    aux_area<ring_type> area(ring, std::size_t{64} << from.byte() % 5, {from.word(2) - 0x8000, from.byte()});
    std::deque<int> expected; // bytes; -1: anything
    std::optional<aux_area<ring_type>::transaction> open;
    std::deque<int> pending;
    const auto commit = [&](std::uint64_t more) {
        must(open->commit(more) >= pending.size());
        expected.insert(expected.end(), pending.begin(), pending.end());
        pending.clear(), open.reset();
    };
    while (!from.over()) {
        const unsigned call = from.byte() % 6;
        if (call < 3 && !open) {
            auto room = area.begin();
            if (room) {
                must(room.room() + expected.size() < area.capacity());
                open.emplace(std::move(room));
            }
        } else if (call == 0) {
            must(area.begin().why() == aux_refusal::open);
            const std::size_t size = from.size(area.capacity());
            if (open->skip(size)) expected.insert(expected.end(), size, -1);
        } else if (call == 1) {
            const bytes some = from.payload(from.word(2) % (area.capacity() + 9));
            const std::size_t done = open->append(some);
            for (std::size_t i = 0; i != done; ++i) pending.push_back(static_cast<int>(some[i]));
        } else if (call == 2) {
            const std::uint64_t room = open->room(), more = std::min<std::uint64_t>(from.size(64), room);
            for (std::uint64_t i = 0; i != more; ++i) pending.push_back(-1);
            commit(more);
        } else if (call == 3) {
            auto chunk = area.read(from.size(area.capacity()));
            const auto got = copied(chunk.bytes());
            must(got.size() <= expected.size());
            for (std::size_t i = 0; i != got.size(); ++i)
                must(expected[i] == -1 || expected[i] == static_cast<int>(got[i]));
            const std::size_t size = std::min(from.size(area.capacity()), got.size());
            chunk.give_back(size);
            expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(size));
        } else {
            ring.consume([](const record&) {}, from.byte());
        }
    }
    if (open) commit(0);
    ring.consume([](const record&) {});
    must(area.error() == read_error::none);
    auto rest = area.read();
    must(rest.size() == expected.size());
}

// ---- somebody else writes, too -----------------------------------------------------------------

constexpr std::size_t page = 4096, capacity = 4096;
alignas(page) std::byte memory[page + capacity];

template <class Ring>
void use_hostile(script& from, std::span<const std::size_t> words) {
    std::memset(memory, 0, sizeof memory);
    if constexpr (Ring::layout::many_processes) {
        const std::uint64_t start = from.start();
        std::memcpy(memory, &between_processes::magic, 8), std::memcpy(memory + 8, &capacity, 8);
        std::memcpy(memory + between_processes::reserved_at, &start, 8);
        std::memcpy(memory + between_processes::tail_at, &start, 8);
    }
    Ring ring(mapped_memory::foreign(memory, sizeof memory));
    std::optional<typename Ring::reservation> open;
    static std::uint64_t checksum = 0;
    while (!from.over()) {
        switch (from.byte() % 8) {
        case 0:
        case 1: {
            const std::uint64_t value = from.byte() % 2 == 0 ? from.word() : from.word(2);
            std::memcpy(memory + words[from.byte() % words.size()], &value, 8);
            break;
        }
        case 2: {
            const std::size_t at = page + from.word(2) % capacity / 8 * 8;
            const record_header header{from.byte() % 3 == 0 ? record_type::padding : 9,
                                       static_cast<std::uint16_t>(from.word(2)),
                                       static_cast<std::uint16_t>(from.word(2))};
            std::memcpy(memory + at, &header, 8);
            break;
        }
        case 3: {
            const bytes payload = from.payload(from.word(2) % (capacity + 16));
            ring.write(payload);
            break;
        }
        case 4:
            if (!open) {
                auto room = ring.try_begin(from.word(2) % capacity);
                room.copy_from(from.payload(from.byte()));
                open.emplace(std::move(room));
            }
            break;
        case 5:
            if (open && from.byte() % 2 == 0) open->discard();
            open.reset();
            break;
        case 6:
            if constexpr (Ring::recovers)
                ring.recover();
            else if (ring.error() != read_error::none)
                ring.resynchronise();
            break;
        default: {
            std::size_t taken = 0;
            ring.consume([&](const record& one) {
                for (const auto part : {one.bytes().first, one.bytes().second}) {
                    if (part.empty()) continue;
                    must(part.data() >= memory + page && part.data() + part.size() <= memory + sizeof memory);
                    for (const std::byte each : part)
                        checksum = checksum * 31 + static_cast<std::uint64_t>(each);
                }
                taken += one.size() + sizeof(record_header);
            });
            must(taken <= capacity);
        }
        }
    }
}

constexpr std::size_t perf_words[] = {perf_abi::head_at, perf_abi::tail_at, perf_abi::data_size_at};
constexpr std::size_t shared_words[] = {between_processes::reserved_at,    between_processes::tail_at,
                                        between_processes::lost_at,        between_processes::places_at + 8,
                                        between_processes::places_at + 64, between_processes::places_at + 72};

using call = void (*)(script&);
constexpr call uses[] = {
    use_ring<single>,
    use_ring<single_batched<256>>,
    use_ring<single_in_band>,
    use_ring<nested>,
    use_ring<shared>,
    use_recorder<single, backward>,
    use_recorder<single, forward>,
    use_recorder<nested, backward>,
    use_recorder<shared, paged>,
    use_queue<spsc_queue<std::unique_ptr<unsigned>>>,
    use_queue<spsc_queue<std::unique_ptr<unsigned>, acquire_release, in_band>>,
    use_queue<spsc_queue<std::unique_ptr<unsigned>, acquire_release, batched<3>>>,
    use_queue<mpsc_queue<std::unique_ptr<unsigned>>>,
    use_trace,
    [](script& from) {
        use_hostile<record_ring<single, acquire_release, keep_oldest, perf_abi>>(from, perf_words);
    },
    [](script& from) { use_hostile<record_ring<nested, fences, keep_oldest, perf_abi>>(from, perf_words); },
    [](script& from) {
        use_hostile<record_ring<robust, acquire_release, refuse, between_processes>>(from, shared_words);
    },
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 4 || mapped_memory::page_size() != page) return 0;
    script from{data, size};
    uses[from.byte() % std::size(uses)](from);
    return 0;
}
