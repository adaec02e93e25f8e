// SPDX-License-Identifier: Apache-2.0
#include "../../src/program/unwritten_chunks.hpp"

#include "some_pages.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <random>
#include <string>

using namespace ringproof::verify;
using ringproof::verify::test::some_pages;

namespace {

constexpr std::size_t chunk = unwritten_chunks::chunk_size;

/// Memory of which a part is in use, that is saved at numbered places and put back, with the bytes of each place.
class saved_memory {
  public:
    some_pages memory{64};
    std::uintptr_t end = memory.range().end;
    unwritten_chunks unwritten{[this](std::uintptr_t) { return end; }};
    std::map<std::size_t, std::string> places;

    void watch() { unwritten.watch_when_large(memory.range(), end - memory.range().begin); }
    template <class Function>
    void each_chunk(Function f) {
        for (std::uintptr_t a = memory.range().begin; a < end; a += chunk) f(a);
    }
    std::string bytes(std::uintptr_t a) const { return {reinterpret_cast<const char*>(a), chunk}; }

    /// @return how many chunks had to be looked at
    std::size_t save() {
        std::size_t looked_at = 0;
        unwritten.note_written();
        each_chunk([&](std::uintptr_t a) {
            for (const auto& [place, then] : places)
                if (unwritten.is(a, place)) {
                    CHECK(then == bytes(a));
                    return;
                }
            ++looked_at;
            const std::size_t place = places.empty() ? 0 : places.rbegin()->first + 1;
            places[place] = bytes(a);
            unwritten.set(a, place);
        });
        return looked_at;
    }
    void write(std::uintptr_t a) { ++*reinterpret_cast<char*>(a); }
};

} // namespace

TEST_CASE("a chunk that nobody has written to is what it was, and no other") {
    saved_memory m;
    m.watch();
    if (!m.unwritten.any()) return test::say_that_nothing_is_told();
    CHECK(m.save() == 64 * some_pages::page_size() / chunk);
    CHECK(m.save() == 0);
    std::mt19937 random(7);
    const std::uintptr_t begin = m.memory.range().begin;
    const std::size_t per_page = some_pages::page_size() / chunk;
    std::size_t others = 0;
    for (int round = 0; round < 400; ++round) {
        for (unsigned n = random() % 4; n > 0; --n) m.write(begin + random() % (m.end - begin));
        CHECK(m.save() <= 3 * per_page + others);
        others = 0;
        if (m.places.size() > 300) { // what was saved goes, one by one
            m.places.erase(std::next(m.places.begin(), static_cast<int>(random() % 300)));
            others = 1;
        }
        if (round % 20 != 19) continue;
        m.end = begin + (1 + random() % 64) * some_pages::page_size();
        others = 64 * per_page;
    }
}

TEST_CASE("what one has written oneself may be accepted") {
    saved_memory m;
    m.watch();
    if (!m.unwritten.any()) return test::say_that_nothing_is_told();
    m.save();
    const std::uintptr_t a = m.memory.range().begin + 5 * chunk;
    m.unwritten.note_written();
    m.write(a);
    m.unwritten.set(a, 1000);
    m.unwritten.accept_written();
    m.unwritten.note_written();
    CHECK(m.unwritten.is(a, 1000));
    m.write(a);
    m.unwritten.note_written();
    CHECK(!m.unwritten.is(a, 1000));
}

TEST_CASE("small memory is not watched, nor any when it is switched off") {
    saved_memory small;
    small.unwritten.watch_when_large(small.memory.range(), 1000);
    CHECK(!small.unwritten.any());
    saved_memory off;
    off.unwritten.switch_off();
    off.watch();
    CHECK(!off.unwritten.any());
}
