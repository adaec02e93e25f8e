// SPDX-License-Identifier: Apache-2.0
// What memory a ring has had is given back whole, once, by whoever has it last.
#include <catch2/catch.hpp>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>

#include "ringproof/mapped_memory.hpp"
#include "ringproof/ring_memory.hpp"

using namespace ringproof;

namespace {

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1; }
bool is_mapped(const std::byte* page) {
    return ::msync(const_cast<std::byte*>(page), mapped_memory::page_size(), MS_ASYNC) == 0;
}

} // namespace

TEST_CASE("memory that goes closes its descriptor and takes all of its pages along") {
    const bool mirrored = GENERATE(false, true);
    const std::byte *first = nullptr, *last = nullptr;
    int descriptor = -1;
    {
        const ring_memory memory = mapped_memory::shared(4 * mapped_memory::page_size(), {mirrored, false});
        descriptor = memory.descriptor();
        first = memory.control();
        last = memory.data() + memory.reach() - mapped_memory::page_size();
        CHECK(is_open(descriptor));
        CHECK(is_mapped(first));
        CHECK(is_mapped(last));
    }
    CHECK_FALSE(is_open(descriptor));
    CHECK_FALSE(is_mapped(first));
    CHECK_FALSE(is_mapped(last));
}

TEST_CASE("memory that is moved is all there, and goes once") {
    ring_memory made = mapped_memory::shared(mapped_memory::page_size(), {true, false});
    ring_memory from = mapped_memory::attach(made.descriptor(), {true, false});
    const int descriptor = from.descriptor();
    const auto* const data = from.data();
    ring_memory to = std::move(from);
    CHECK(to.descriptor() == descriptor);
    CHECK(to.data() == data);
    CHECK(to.control() + to.control_size() == data);
    CHECK(to.capacity() == made.capacity());
    CHECK(to.reach() == 2 * made.capacity());
    CHECK(to.attached());
    CHECK(from.descriptor() == -1);
    CHECK(from.data() == nullptr);
    CHECK_FALSE(from.attached());
    const int older = made.descriptor();
    made = std::move(to); // what it had goes
    CHECK_FALSE(is_open(older));
    CHECK(is_open(descriptor));
    CHECK(made.descriptor() == descriptor);
    made = ring_memory::heap(64);
    CHECK_FALSE(is_open(descriptor));
    CHECK_FALSE(made.attached());
}
