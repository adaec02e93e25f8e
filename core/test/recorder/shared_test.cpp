// SPDX-License-Identifier: Apache-2.0
// One thread of control: what a recorder of many writers holds, and what it does when one of them stops anywhere.
#include "ringproof/recorder.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "../stepping_barriers.hpp"
#include "numbered_record.hpp"
#include "ringproof/mapped_memory.hpp"

using namespace ringproof;

namespace {

constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{2048};

using ring_type = recorder<shared>;
using stepping_ring = recorder<shared, paged, stepping_barriers>;

/// What must be in a recorder whose writers come one after the other.
class expected_pages {
  public:
    expected_pages(std::size_t capacity, std::size_t page, std::uint64_t start)
        : capacity_(capacity), page_(page), head_(start) {}

    void write(seen_record one, std::size_t payload) {
        const std::size_t size = 8 + (payload + 7) / 8 * 8, rest = (0 - head_) % page_;
        if (size > rest) head_ += rest + 8;
        records_.push_back({one, head_});
        head_ += size;
    }

    [[nodiscard]] std::vector<seen_record> newest_first(std::uint64_t since) const {
        std::vector<seen_record> result;
        const std::uint64_t oldest = (head_ - 8) / page_ * page_ + page_ - capacity_;
        for (auto one = records_.rbegin(); one != records_.rend(); ++one) {
            if (static_cast<std::int64_t>(one->at - oldest) < 0) break;
            if (static_cast<std::int64_t>(one->at - since) < 0) break;
            result.push_back(one->is);
        }
        return result;
    }

  private:
    struct entry {
        seen_record is;
        std::uint64_t at;
    };
    std::size_t capacity_, page_;
    std::uint64_t head_;
    std::vector<entry> records_;
};

} // namespace

TEST_CASE("a shared recorder has the newest records, newest first, of all pages that are not written again") {
    const std::uint64_t start = GENERATE(std::uint64_t{0}, near_the_wrap);
    const std::size_t capacity = GENERATE(64u, 128u, 512u, 1024u, 4096u);
    ring_type ring(capacity, start, 3);
    std::vector<ring_type::own_writer> writers;
    for (int i = 0; i != 2; ++i) writers.push_back(ring.writer());
    expected_pages expected(capacity, ring.page_size(), start);
    std::uint64_t next[3]{}, since = start;
    std::mt19937_64 random(capacity + start);
    snapshot again;
    for (int i = 0; i != 600; ++i) {
        const auto who = static_cast<unsigned>(random() % 3);
        const seen_record is{who, next[who]++};
        const numbered_record one(is.writer, is.number);
        if (one.bytes().size() > ring.max_payload()) continue;
        REQUIRE((who == 2 ? ring.write(one.bytes()) : writers[who].write(one.bytes())));
        expected.write(is, one.bytes().size());
        if (random() % 4 != 0) continue;
        const auto all = ring.take();
        REQUIRE(all.error() == snapshot_error::none);
        REQUIRE(seen_records(all).whole);
        REQUIRE(seen_records(all).records == expected.newest_first(start));
        ring.take_into(again);
        REQUIRE(seen_records(again).records == seen_records(all).records);
        ring.take_into(again, since);
        REQUIRE(seen_records(again).records == expected.newest_first(since));
        REQUIRE(again.head() == all.head());
        since = again.head();
        REQUIRE(ring.take_since(since).records().empty());
        REQUIRE(ring.take_since(since).missed_bytes() == 0);
    }
}

TEST_CASE(
    "snapshots of a shared recorder one after the other have each record once, or say what is missing") {
    ring_type ring(4096, near_the_wrap);
    auto mine = ring.writer();
    std::uint64_t next = 0, since = near_the_wrap;
    for (std::uint64_t round = 0; round != 200; ++round) {
        const std::uint64_t count = round % 31;
        for (std::uint64_t i = 0; i != count; ++i)
            REQUIRE((i % 3 == 0 ? ring.write(numbered_record(0, next).bytes())
                                : mine.write(numbered_record(0, next).bytes())));
        // One record's number stands for all of a round.
        const auto seen = ring.take_since(since);
        REQUIRE(seen.records().size() == count);
        REQUIRE(seen.missed_bytes() == 0);
        since = seen.head();
        ++next;
    }
    CHECK(ring.take().missed_bytes() > 0);
    for (int i = 0; i != 200; ++i) REQUIRE(mine.write(numbered_record(0, next).bytes()));
    const auto late = ring.take_since(since);
    CHECK(late.missed_bytes() > 0);
    CHECK(late.head() - since > 4096);
}

TEST_CASE("wherever a writer is stopped, others write on for laps, and every snapshot is whole") {
    // At each of its accesses in turn: others write `others` records, snapshots are taken before and after, and it
    // goes on. It writes at every place of a page: in it, at its end, and at the start of the next.
    const std::size_t capacity = GENERATE(64u, 1024u);
    const std::uint64_t others = GENERATE(1u, 3u, 40u);
    const bool same_thread =
        GENERATE(false, true); // a signal handler has the writer of the thread it interrupts
    std::size_t stops = 0, passed_over = 0;
    for (std::uint64_t before = 0; before != 9; ++before) {
        for (int chosen = 0;; ++chosen) {
            stepping_ring ring(capacity, near_the_wrap, 4);
            auto mine = ring.writer();
            auto other = ring.writer();
            std::uint64_t number = 0;
            // Of 8, 15, 22 … bytes; for the smallest ring of 8 only.
            const auto next = [&] { return capacity == 64 ? number++ * 32 : number++; };
            for (std::uint64_t i = 0; i != before + 12; ++i)
                REQUIRE(mine.write(numbered_record(1, next()).bytes()));
            int step = 0;
            bool came = false;
            std::uint64_t written = 0, taken = 0;
            stepping_barriers::before_access = [&] {
                if (step++ != chosen) return;
                const auto hold = std::exchange(stepping_barriers::before_access, nullptr);
                came = true;
                REQUIRE(seen_records(ring.take()).whole);
                std::uint64_t theirs = 0;
                for (std::uint64_t i = 0; i != others; ++i) {
                    const numbered_record one(2, capacity == 64 ? theirs++ * 32 : theirs++);
                    if (i % 3 == 2 ? ring.write(one.bytes())
                                   : (same_thread ? mine : other).write(one.bytes()))
                        ++written;
                    const auto seen = ring.take();
                    REQUIRE(seen_records(seen).whole);
                    taken += seen.records().size();
                }
                // One page is the most that a writer who is stopped takes away.
                REQUIRE(written == others);
                const auto seen = ring.take();
                if (others == 40) REQUIRE(seen.records().size() >= (capacity / ring.page_size() - 2));
                stepping_barriers::before_access = hold;
            };
            const std::uint64_t outer = next();
            REQUIRE(mine.write(numbered_record(1, outer).bytes()));
            stepping_barriers::before_access = nullptr;
            const auto seen = ring.take();
            REQUIRE(seen_records(seen).whole);
            if (!came) break;
            ++stops;
            REQUIRE(taken > 0);
            // Where the stopped one has been overtaken by a lap, its record belongs to a page that is gone.
            const seen_records all(seen);
            passed_over +=
                std::find(all.records.begin(), all.records.end(), seen_record{1, outer}) == all.records.end();
            // And the page comes back into use.
            for (std::uint64_t i = 0; i != 60; ++i) REQUIRE(mine.write(numbered_record(1, next()).bytes()));
            const auto after = ring.take();
            REQUIRE(seen_records(after).whole);
            REQUIRE((seen_records(after).without_gap || capacity == 64));
            REQUIRE(ring.lost() == 0);
        }
    }
    CHECK(stops > 50);
    CHECK((others != 40 || passed_over > 0));
}

TEST_CASE("wherever the only writer is stopped, every snapshot is whole") {
    // The other tests have two, so that the place of the first is looked at for the sake of the second.
    const bool own_place = GENERATE(false, true);
    int steps = 0;
    for (bool came = true; came; ++steps) {
        stepping_ring ring(256, near_the_wrap, 1);
        {
            auto mine = ring.writer();
            for (std::uint64_t i = 0; i != 30; ++i) REQUIRE(mine.write(numbered_record(1, 32 * i).bytes()));
        }
        came = false;
        std::optional<stepping_ring::own_writer> mine;
        if (own_place) mine.emplace(ring.writer());
        int step = 0;
        stepping_barriers::before_access = [&] {
            if (step++ != steps) return;
            const auto hold = std::exchange(stepping_barriers::before_access, nullptr);
            came = true;
            const seen_records seen(ring.take());
            REQUIRE(seen.whole);
            REQUIRE(seen.records.size() > 2);
            stepping_barriers::before_access = hold;
        };
        const numbered_record last(1, 32 * 30);
        REQUIRE((own_place ? mine->write(last.bytes()) : ring.write(last.bytes())));
        stepping_barriers::before_access = nullptr;
        REQUIRE(seen_records(ring.take()).records.at(0) == seen_record{1, 32 * 30});
    }
    CHECK(steps > 5);
}

TEST_CASE("wherever writers overtake a snapshot, it has whole records only, and says what is missing") {
    const std::uint64_t others = GENERATE(1u, 5u, 17u, 60u);
    stepping_ring ring(1024, near_the_wrap, 2);
    auto mine = ring.writer();
    std::uint64_t next = 0;
    for (int i = 0; i != 70; ++i) REQUIRE(mine.write(numbered_record(1, next++).bytes()));
    std::size_t gaps = 0, overtaken = 0;
    for (int chosen = 0;; ++chosen) {
        int step = 0;
        bool came = false;
        const std::uint64_t newest = next - 1;
        stepping_barriers::before_copy = [&] {
            if (step++ != chosen) return;
            came = true;
            for (std::uint64_t i = 0; i != others; ++i)
                REQUIRE(mine.write(numbered_record(1, next++).bytes()));
        };
        const auto seen = ring.take();
        stepping_barriers::before_copy = nullptr;
        const seen_records all(seen);
        REQUIRE(all.whole);
        REQUIRE(all.without_gap);
        REQUIRE((all.records.empty() || all.records[0].number <= newest));
        std::uint64_t bytes = 0;
        for (const auto& one : seen.records()) bytes += 8 + (one.size() + 7) / 8 * 8;
        REQUIRE(seen.head() - near_the_wrap >= seen.missed_bytes() + bytes);
        if (!came) break;
        gaps += seen.gaps().size();
        overtaken += seen.error() == snapshot_error::overtaken;
    }
    CHECK((gaps > 0) == (others == 5 || others == 17)); // 60 leave nothing that is newer
    CHECK((overtaken > 0) == (others == 60));
}

TEST_CASE(
    "when every page has a writer stopped in it, records are refused and counted, and nothing is damaged") {
    constexpr std::size_t pages = 4;
    stepping_ring ring(128, near_the_wrap, pages + 1);
    REQUIRE(ring.page_size() == 128 / pages);
    std::vector<stepping_ring::own_writer> writers;
    for (std::size_t i = 0; i != pages; ++i) writers.push_back(ring.writer());
    // Each is stopped after its claim, before it has written the first word, in a page of its own.
    std::size_t depth = 0;
    bool checked = false;
    const std::function<void()> nest = [&] {
        const std::size_t mine = depth++;
        int step = 0;
        stepping_barriers::before_access = [&, step]() mutable {
            // Head, mark, head, four marks, claim, the page's stamp; then it is within.
            if (step++ < 9) return;
            const auto hold = std::exchange(stepping_barriers::before_access, nullptr);
            if (depth != pages) {
                nest();
            } else if (!checked) {
                checked = true;
                const std::uint64_t before = ring.lost();
                for (int i = 0; i != 5; ++i) CHECK_FALSE(ring.write(numbered_record(9, 0).bytes()));
                CHECK(ring.lost() == before + 5);
                CHECK(seen_records(ring.take()).whole);
            }
            stepping_barriers::before_access = hold;
        };
        CHECK(writers[mine].write(std::array<std::byte, 16>{}));
        stepping_barriers::before_access = nullptr;
    };
    nest();
    REQUIRE(checked);
    // All are done: it is as before, and the next record has the loss before it.
    REQUIRE(writers[0].write(numbered_record(7, 0).bytes()));
    const auto seen = ring.take();
    REQUIRE(seen.records().size() >= 2);
    CHECK(seen.records()[1].type() == record_type::lost);
    CHECK(seen.records()[1].as<lost_record>()->count == 5);
}

TEST_CASE("pausing a shared recorder refuses and is told by a LOST record before the next record") {
    ring_type ring(ring_memory::heap(1024), {0, 77, 0});
    auto mine = ring.writer();
    REQUIRE(mine.write(numbered_record(0, 1).bytes()));
    ring.pause();
    CHECK_FALSE(mine.write(numbered_record(0, 2).bytes()));
    CHECK_FALSE(ring.write(numbered_record(0, 3).bytes()));
    ring.resume();
    REQUIRE(mine.write(numbered_record(0, 4).bytes()));
    const auto seen = ring.take();
    REQUIRE(seen.records().size() == 3);
    CHECK(seen_records(seen).records == std::vector<seen_record>{{0, 4}, {0, 1}});
    CHECK(seen.records()[1].as<lost_record>()->count == 2);
    CHECK(seen.records()[1].as<lost_record>()->id == 77);
    CHECK(ring.lost() == 2);
}

TEST_CASE("a shared recorder takes what fits a page, and counts what doesn't") {
    const std::size_t capacity = GENERATE(64u, 256u, 4096u, std::size_t{1} << 20, std::size_t{1} << 22);
    ring_type ring(capacity);
    CHECK(ring.capacity() / ring.page_size() >= 2);
    auto mine = ring.writer();
    for (int lap = 0; lap != 100; ++lap) {
        CHECK_FALSE(mine.write(std::vector<std::byte>(ring.max_payload() + 1)));
        REQUIRE(mine.write(std::vector<std::byte>(ring.max_payload())));
        REQUIRE(mine.write({}));
    }
    CHECK(ring.lost() == 100);
    const auto seen = ring.take();
    CHECK(seen.error() == snapshot_error::none);
    CHECK(seen.records().size() >= ring.capacity() / ring.page_size());
}

TEST_CASE("more threads than places: a writer without one does as well, and a place is given back") {
    ring_type ring(1024, 0, 1);
    {
        auto first = ring.writer();
        auto second = ring.writer(); // without a place
        REQUIRE(first.write(numbered_record(0, 0).bytes()));
        CHECK_FALSE(second.write(numbered_record(0, 1).bytes())); // the only place is the first one's
        CHECK_FALSE(ring.write(numbered_record(0, 2).bytes()));
        auto moved = std::move(first);
        REQUIRE(moved.write(numbered_record(0, 3).bytes()));
    }
    REQUIRE(ring.write(numbered_record(0, 4).bytes()));
    CHECK(ring.lost() == 2);
    CHECK(seen_records(ring.take()).records == std::vector<seen_record>{{0, 4}, {0, 3}, {0, 0}});
}

TEST_CASE("a shared recorder says why it can't be made") {
    CHECK_THROWS_WITH(ring_type(32), Catch::Contains("the smallest is 64"));
    CHECK_THROWS_WITH(ring_type(100), Catch::Contains("power of two"));
    CHECK_THROWS_WITH(ring_type(64, 4), Catch::Contains("multiple of 8"));
    CHECK_THROWS_WITH(ring_type(64, 0, 0), Catch::Contains("at least one place"));
    const auto memory = mapped_memory::shared(4096);
    CHECK_THROWS_WITH(ring_type(mapped_memory::attach(memory.descriptor())),
                      Catch::Contains("already contains a ring"));
}

TEST_CASE("a shared recorder in mapped memory is as one on the heap") {
    ring_type mapped(mapped_memory::anonymous(8192, {.mirrored = true}), {near_the_wrap}),
        heap(8192, near_the_wrap);
    for (std::uint64_t i = 0; i != 1000; ++i) {
        REQUIRE(mapped.write(numbered_record(0, i).bytes()));
        REQUIRE(heap.write(numbered_record(0, i).bytes()));
    }
    CHECK(seen_records(mapped.take()).records == seen_records(heap.take()).records);
    CHECK(mapped.take().records().size() > 150);
}
