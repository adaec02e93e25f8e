// SPDX-License-Identifier: Apache-2.0
#include "../../src/program/heap.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

using namespace ringproof::verify;

namespace {

/// What a heap should know, looked through from end to end.
struct block {
    std::uintptr_t address;
    std::size_t size;
    std::uint32_t of_class;
    std::size_t freed = 0; ///< the when-th release, from 1; 0: it is not freed
};

class heap_and_model {
  public:
    heap_and_model() {
        std::memset(memory_.get(), 0, room);
        top_ = begin() + sizeof(heap::head);
    }
    std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(memory_.get()); }
    heap at_hand() const { return heap(begin()); }
    std::vector<block>& blocks() { return blocks_; }

    void add(std::size_t size) {
        const std::uintptr_t address = (top_ + sizeof(allocation_header) + 15) & ~std::uintptr_t{15};
        top_ = address + std::size_t{size_class(size)} * 16;
        REQUIRE(top_ <= begin() + room);
        at_hand().add(address, size, 3, static_cast<std::uint32_t>(blocks_.size()));
        blocks_.push_back({address, size, size_class(size)});
    }
    void release(block& b) {
        at_hand().release(b.address, by_, index_);
        b.freed = ++releases_;
        index_ += releases_ % 3 == 0; // some after the same event
    }
    void use_again(block& b, std::size_t size) {
        at_hand().use_again(b.address, size, 5, 77);
        b.freed = 0;
        b.size = size;
    }

    void check(std::mt19937& random) const {
        for (int i = 0; i < 20; ++i) check_find(begin() + random() % (top_ - begin() + 100));
        check_lasting();
        for (const std::size_t size : {1, 16, 17, 40, 16 * 16 + 1}) check_freed(size_class(size));
    }

  private:
    static constexpr std::size_t room = std::size_t{1} << 20;

    void check_find(std::uintptr_t address) const {
        std::uintptr_t expected = 0;
        for (const block& b : blocks_)
            if (b.address <= address) expected = b.address;
        CHECK(at_hand().find(address) == expected);
        for (const block& b : blocks_)
            if (b.address > address) {
                CHECK(at_hand().find(address, b.address) == expected);
                break;
            }
    }
    void check_lasting() const {
        std::vector<std::pair<std::uintptr_t, std::size_t>> expected, found;
        for (std::size_t i = blocks_.size(); i-- > 0;)
            if (blocks_[i].freed == 0) expected.emplace_back(blocks_[i].address, blocks_[i].size);
        at_hand().each_lasting(
            [&](std::uintptr_t a, const allocation_header& h) { found.emplace_back(a, h.size()); });
        CHECK(found == expected);
    }
    /// Those freed last come first, and no list says that its blocks were freed later than they were.
    void check_freed(std::uint32_t of_class) const {
        std::vector<block> freed;
        std::vector<std::uintptr_t> expected, found;
        for (const block& b : blocks_)
            if (b.freed != 0 && b.of_class == of_class) freed.push_back(b);
        std::sort(freed.begin(), freed.end(),
                  [](const block& a, const block& b) { return a.freed > b.freed; });
        for (const block& b : freed) expected.push_back(b.address);
        const heap::freed_list& list = at_hand().freed_of(of_class);
        const bool all = at_hand().each_freed(of_class, [&](std::uintptr_t a, const allocation_header& h) {
            found.push_back(a);
            CHECK(h.may_come_again());
            CHECK(h.freed_index >= list.first_index);
            return true;
        });
        CHECK(all);
        CHECK(found == expected);
    }

    std::unique_ptr<char, decltype(&std::free)> memory_{static_cast<char*>(std::aligned_alloc(4096, room)),
                                                        &std::free};
    std::uintptr_t top_ = 0;
    std::vector<block> blocks_;
    std::size_t releases_ = 0;
    std::uint8_t by_ = 2;
    std::uint32_t index_ = 1;
};

} // namespace

TEST_CASE("a heap knows what a look through all of its allocations finds") {
    std::mt19937 random(1);
    for (const bool reuses : {false, true}) {
        heap_and_model h;
        for (int step = 0; step < 1500; ++step) {
            // 16 classes further on, blocks stand in the same list.
            const std::size_t size = random() % 4 == 0 ? 16 * 16 + random() % 20 : random() % 50;
            const unsigned what = random() % 8;
            if (what < 4 || h.blocks().empty()) {
                h.add(size);
            } else {
                block& b = h.blocks()[random() % h.blocks().size()];
                if (b.freed == 0)
                    h.release(b);
                else if (reuses && what == 7)
                    h.use_again(b, (b.of_class - 1) * 16 + 1 + random() % 16);
            }
            if (step % 10 == 0) h.check(random);
        }
    }
}

TEST_CASE("a list of freed blocks says who freed them all, until somebody else does") {
    heap_and_model h;
    for (int i = 0; i < 3; ++i) h.add(8);
    const heap& at = h.at_hand();
    CHECK(at.freed_of(1).last == 0);
    at.release(h.blocks()[0].address, 4, 10);
    CHECK(at.freed_of(1).by == 4);
    CHECK(at.freed_of(1).first_index == 10);
    at.release(h.blocks()[1].address, 4, 12);
    CHECK(at.freed_of(1).by == 4);
    CHECK(at.freed_of(1).first_index == 10);
    at.release(h.blocks()[2].address, 6, 3);
    CHECK(at.freed_of(1).by == heap::freed_list::nobody);
    for (const block& b : h.blocks()) at.use_again(b.address, 8, 4, 13);
    at.release(h.blocks()[1].address, 6, 20); // which begins the list anew
    CHECK(at.freed_of(1).by == 6);
    CHECK(at.freed_of(1).first_index == 20);
}

TEST_CASE("a size stays what it is when a block is used again for another one of its class") {
    heap_and_model h;
    for (const std::size_t size : {0, 1, 15, 16, 17, 4000}) {
        h.add(size);
        CHECK(allocation_header::of(h.blocks().back().address)->size() == size);
    }
    h.release(h.blocks()[1]);
    h.use_again(h.blocks()[1], 16);
    const allocation_header& again = *allocation_header::of(h.blocks()[1].address);
    CHECK(again.size() == 16);
    CHECK(again.thread == 5);
    CHECK(again.index == 77);
    CHECK(!again.freed());
}

TEST_CASE("an address is found in few steps") {
    heap_and_model h;
    for (int i = 0; i < 4000; ++i) h.add(8);
    for (const block& b : h.blocks()) {
        unsigned steps = 0;
        for (std::uintptr_t a = h.at_hand().first().newest; a > b.address; ++steps) {
            const allocation_header& of = *allocation_header::of(a);
            const std::uintptr_t far = h.begin() + of.jump;
            a = far >= b.address ? far : h.begin() + of.older;
        }
        REQUIRE(steps <= 3 * 12); // three times the logarithm, as Myers shows
    }
}
