// SPDX-License-Identifier: Apache-2.0
// Sizes, names, descriptors and memory that can't be: docs/errors.md.
#include "ringproof/mapped_memory.hpp"

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include "../last_words.hpp"
#include "ringproof/aux/aux_area.hpp"
#include "ringproof/aux/aux_window.hpp"
#include "ringproof/aux/aux_window_reader.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mpsc_queue.hpp"
#include "ringproof/per_cpu_rings.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/recorder.hpp"
#include "ringproof/session/session.hpp"
#include "ringproof/spsc_queue.hpp"
#include "ringproof/wake/event_descriptor.hpp"

using namespace ringproof;
using Catch::Matchers::Contains;

namespace {

using perf_ring = record_ring<single, acquire_release, refuse, perf_abi>;
constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

std::string own_name() { return "/ringproof-misuse-" + std::to_string(::getpid()); }

/// What the system says, by its number, about what `act` wants; 0: it has it.
template <class Act>
int system_error_of(Act act) {
    try {
        act();
        return 0;
    } catch (const std::system_error& error) {
        return error.code().value();
    }
}

} // namespace

TEST_CASE("a size that can't be is refused with the reason by whatever has a size") {
    const std::size_t size = GENERATE(0U, 1U, 7U, 63U, 65U, 4095U, 4097U, most, most - 7, most / 2 + 1);
    record_ring<> ring(64);
    const auto reason = size < most / 2 + 1 || size > most / 2 + 1 ? Contains("is not possible: the")
                                                                   : Contains("address space");
    CHECK_THROWS_WITH(ring_memory::heap(size), reason);
    CHECK_THROWS_WITH(record_ring<>(size), reason);
    CHECK_THROWS_WITH(record_ring<shared>(size), reason);
    CHECK_THROWS_WITH(recorder<>(size), reason);
    CHECK_THROWS_WITH(per_cpu_rings<>(size), reason);
    CHECK_THROWS_WITH(aux_area(ring, size), reason);
    CHECK_THROWS_WITH(aux_window(ring, size), reason);
    CHECK_THROWS_WITH(session<>({.capacity = size}), reason);
    CHECK_THROWS_WITH(spsc_queue<char>(size), reason);
    CHECK_THROWS_WITH(mpsc_queue<char>(size), reason);
    CHECK_THROWS_WITH(mapped_memory::anonymous(size), reason);
    CHECK_THROWS_WITH(mapped_memory::anonymous(size, {true, true}), reason);
    CHECK_THROWS_WITH(mapped_memory::shared(size), reason);
    CHECK_THROWS_WITH(mapped_memory::named(own_name().c_str(), size), reason);
}

TEST_CASE("items whose slots don't fit the address space are refused, whatever their size") {
    struct large {
        std::array<char, 1000> bytes;
    };
    const std::size_t capacity = std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 10);
    CHECK_THROWS_WITH(spsc_queue<large>(capacity), Contains("address space"));
    CHECK_THROWS_WITH((spsc_queue<large, acquire_release, in_band>(capacity)), Contains("address space"));
    CHECK_THROWS_WITH(mpsc_queue<large>(capacity), Contains("address space"));
}

TEST_CASE("a size that fits the address space but not the machine is told as such") {
    if (sanitized) {
        WARN("a sanitizer ends a program that asks for so much");
        return;
    }
    if (sizeof(std::size_t) < 8) {
        WARN("with 32 bits the largest ring has 1 GiB, which the machine may have");
        return;
    }
    const std::size_t huge = std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 2);
    CHECK_THROWS_AS(record_ring<>(huge), std::bad_alloc);
    CHECK_THROWS_AS(mpsc_queue<char>(huge / 16), std::bad_alloc);
    CHECK_THROWS_AS(mapped_memory::anonymous(huge), std::system_error);
    CHECK_THROWS_AS(mapped_memory::anonymous(huge, {true, true}), std::system_error);
    CHECK_THROWS_AS(mapped_memory::shared(huge), std::system_error);
}

TEST_CASE("memory that was moved from makes nothing") {
    record_ring<> ring(64);
    perf_ring page_ring(mapped_memory::anonymous(4096));
    ring_memory memory = ring_memory::heap(64);
    const ring_memory taken(std::move(memory));
    CHECK(taken.capacity() == 64);
    const auto gone = [&]() -> ring_memory&& { return std::move(memory); };
    CHECK_THROWS_WITH(record_ring<>(gone()), Contains("moved from"));
    CHECK_THROWS_WITH(record_ring<nested>(gone()), Contains("moved from"));
    CHECK_THROWS_WITH(recorder<>(gone()), Contains("moved from"));
    CHECK_THROWS_WITH(aux_area(ring, gone()), Contains("moved from"));
    CHECK_THROWS_WITH(aux_window(ring, gone()), Contains("moved from"));
    CHECK_THROWS_WITH(aux_window_reader(page_ring.memory(), gone(), aux_head_is::position),
                      Contains("moved from"));
    CHECK_THROWS_AS(perf_ring(gone()), std::invalid_argument);
    CHECK_THROWS_AS(snapshot_reader<backward>(gone()), std::invalid_argument);
}

TEST_CASE("memory that another ring was made in is refused where this ring's positions would not be in it") {
    const auto memory = mapped_memory::shared(4096);
    const auto again = [&] { return mapped_memory::attach(memory.descriptor()); };
    CHECK_THROWS_WITH(record_ring<>(again()), Contains("`perf_abi` or `between_processes`"));
    CHECK_THROWS_WITH(record_ring<shared>(again()), Contains("`perf_abi` or `between_processes`"));
    CHECK_NOTHROW(perf_ring(again()));
}

TEST_CASE("a foreign ring is refused where mmap has failed, and at an address that no ring can have") {
    alignas(4096) static std::byte memory[8192];
    CHECK_THROWS_WITH(mapped_memory::foreign(nullptr, 8192), Contains("has mmap failed?"));
    CHECK_THROWS_WITH(mapped_memory::foreign(MAP_FAILED, 8192), Contains("has mmap failed?"));
    CHECK_THROWS_WITH(mapped_memory::foreign(memory + 4, 8192), Contains("multiple of 8"));
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{8191}, most})
        CHECK_THROWS_AS(mapped_memory::foreign(memory, length), std::invalid_argument);
    CHECK_NOTHROW(mapped_memory::foreign(memory, mapped_memory::page_size() == 4096 ? 8192 : 0));
}

TEST_CASE("a name that can't be is refused with what the system said of it") {
    CHECK_THROWS_AS(mapped_memory::named(nullptr, 4096), std::invalid_argument);
    CHECK_THROWS_AS(mapped_memory::open(nullptr), std::invalid_argument);
    CHECK_THROWS_AS(mapped_memory::shared(4096, {}, nullptr), std::invalid_argument);
    const std::string empty, slash = "/", two = "/ringproof/two", lengthy(300, 'x'),
                             absent = "/ringproof-no-such";
    for (const auto& name : {empty, slash, two, lengthy}) {
        CHECK_THROWS_AS(mapped_memory::named(name.c_str(), 4096), std::system_error);
        CHECK_THROWS_AS(mapped_memory::open(name.c_str()), std::system_error);
    }
    CHECK_THROWS_WITH(mapped_memory::open(absent.c_str()), Contains("shm_open of \"/ringproof-no-such\""));
    CHECK_THROWS_AS(mapped_memory::shared(4096, {}, lengthy.c_str()), std::system_error);
    const auto memory = mapped_memory::named(own_name().c_str(), 4096);
    CHECK(system_error_of([] { static_cast<void>(mapped_memory::named(own_name().c_str(), 4096)); }) ==
          EEXIST);
    ::shm_unlink(own_name().c_str());
}

TEST_CASE("memory that belongs to another user is refused with what the system said of it") {
    if (::geteuid() != 0) {
        WARN("only root can be somebody else");
        return;
    }
    const std::string name = own_name();
    const auto memory = mapped_memory::named(name.c_str(), 4096);
    CHECK(in_own_process([&] {
              if (::setuid(65534) != 0) return int{EACCES};
              return system_error_of([&] { static_cast<void>(mapped_memory::open(name.c_str())); });
          }) == EACCES);
    ::shm_unlink(name.c_str());
}

TEST_CASE("a file system without room for named memory says so at once, and keeps no name") {
    struct statfs about {};
    constexpr auto tmpfs = 0x0102'1994;
    if (::statfs("/dev/shm", &about) != 0 || about.f_type != tmpfs || about.f_blocks == 0) {
        WARN("/dev/shm is no tmpfs of limited size here");
        return;
    }
    const std::uint64_t room = std::uint64_t{about.f_blocks} * static_cast<std::uint64_t>(about.f_bsize);
    if (room > std::numeric_limits<std::size_t>::max() / 4) {
        WARN("/dev/shm has room for the largest ring of this machine");
        return;
    }
    const std::size_t too_much = std::bit_ceil(static_cast<std::size_t>(room) + 1);
    const std::string name = own_name();
    CHECK(system_error_of([&] { static_cast<void>(mapped_memory::named(name.c_str(), too_much)); }) ==
          ENOSPC);
    CHECK(system_error_of([&] { static_cast<void>(mapped_memory::open(name.c_str())); }) == ENOENT);
}

TEST_CASE("a descriptor that is no memory, or may not be written to, is refused") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    CHECK_THROWS_WITH(mapped_memory::attach(ends[0]), Contains("is no ring"));
    ::close(ends[0]), ::close(ends[1]);
    CHECK(system_error_of([] { static_cast<void>(mapped_memory::attach(-1)); }) == EBADF);
    CHECK(system_error_of([] { static_cast<void>(mapped_memory::attach(1 << 28)); }) == EBADF);
    const auto memory = mapped_memory::shared(4096);
    const std::string path = "/proc/self/fd/" + std::to_string(memory.descriptor());
    const int read_only = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (read_only < 0) {
        WARN("there is no /proc here");
        return;
    }
    CHECK(system_error_of([&] { static_cast<void>(mapped_memory::attach(read_only)); }) == EACCES);
    ::close(read_only);
}

TEST_CASE("shared memory can't be cut under those who have mapped it") {
    const auto memory = mapped_memory::shared(4096);
    const auto other = mapped_memory::attach(memory.descriptor());
    if (::fcntl(other.descriptor(), F_GET_SEALS) < 0) {
        WARN("this system can't seal memory");
        return;
    }
    for (const off_t size : {off_t{0}, off_t{4096}, off_t{1} << 20}) {
        CHECK(::ftruncate(other.descriptor(), size) != 0);
        CHECK(errno == EPERM);
    }
    std::memset(other.data(), 1, 4096);
}

TEST_CASE("memory that is no whole page and data is refused, whoever made it") {
    const int descriptor = ::memfd_create("ringproof-test", MFD_CLOEXEC);
    REQUIRE(descriptor >= 0);
    const auto page = static_cast<off_t>(mapped_memory::page_size());
    for (const off_t size : {off_t{0}, off_t{1}, page, page + 1, page + 64, 4 * page, 3 * page - 1}) {
        REQUIRE(::ftruncate(descriptor, size) == 0);
        CHECK_THROWS_AS(mapped_memory::attach(descriptor), std::invalid_argument);
    }
    ::close(descriptor);
}

TEST_CASE(
    "where the process has no descriptors or addresses left, the system's word says so, and nothing stays") {
    if (sanitized) {
        WARN("a sanitizer needs descriptors and addresses itself");
        return;
    }
    const std::string name = own_name();
    CHECK(in_own_process([&] {
              const rlimit few{3, 3};
              if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return 1;
              if (system_error_of([] { static_cast<void>(mapped_memory::shared(4096)); }) != EMFILE) return 2;
              if (system_error_of([&] { static_cast<void>(mapped_memory::named(name.c_str(), 4096)); }) !=
                  EMFILE)
                  return 3;
              using waking = record_ring<single, acquire_release, refuse, padded, descriptor_wakeup>;
              if (system_error_of([] { waking ring(4096); }) != EMFILE) return 4;
              return 0;
          }) == 0);
    constexpr int not_limited = 77;
    const int without_addresses = in_own_process([&] {
        const rlimit little{1U << 28, 1U << 28};
        if (::setrlimit(RLIMIT_AS, &little) != 0) return 1;
        constexpr std::size_t more = 1U << 29;
        if (::mmap(nullptr, more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
            return not_limited;
        if (system_error_of([] { static_cast<void>(mapped_memory::anonymous(more)); }) != ENOMEM) return 2;
        if (system_error_of([] { static_cast<void>(mapped_memory::shared(more)); }) != ENOMEM) return 3;
        // Memory with a name is taken before it is mapped: as little as twice does not fit.
        std::vector<ring_memory> taken;
        try {
            for (;;) taken.push_back(mapped_memory::anonymous(1U << 20));
        } catch (const std::system_error&) {
        }
        if (system_error_of([&] { static_cast<void>(mapped_memory::named(name.c_str(), 1U << 20)); }) !=
            ENOMEM)
            return 4;
        if (system_error_of([&] { static_cast<void>(mapped_memory::open(name.c_str())); }) != ENOENT)
            return 5;
        try {
            record_ring<> ring(more);
            return 6;
        } catch (const std::bad_alloc&) {
        }
        return 0;
    });
    if (without_addresses == not_limited)
        WARN("not tried: a limit of addresses (RLIMIT_AS) is not kept here, qemu-user ignores it");
    else
        CHECK(without_addresses == 0);
}

TEST_CASE("who reads an AUX window from outside needs the page that says where it is") {
    record_ring<> ring(64);
    CHECK_THROWS_WITH(aux_window_reader(ring.memory(), ring_memory::heap(64), aux_head_is::position),
                      Contains("control page"));
    auto memory = mapped_memory::shared(4096);
    auto other = mapped_memory::attach(memory.descriptor());
    perf_ring made(std::move(memory));
    const std::uint64_t size = 128;
    std::memcpy(made.memory().control() + perf_abi::aux_size_at, &size, 8);
    perf_ring seen(std::move(other));
    CHECK_THROWS_WITH(aux_window_reader(seen.memory(), ring_memory::heap(64), aux_head_is::position),
                      Contains("another size"));
    CHECK_THROWS_WITH(aux_area(seen, 64), Contains("another size"));
    CHECK_THROWS_WITH(aux_window(seen, 64), Contains("another size"));
    CHECK_NOTHROW(aux_area(seen, 128));
}
