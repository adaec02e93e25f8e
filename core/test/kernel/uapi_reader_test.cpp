// SPDX-License-Identifier: Apache-2.0
#include "uapi_reader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../aux/trace_bytes.hpp"
#include "ringproof/aux/aux_area.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"

using namespace ringproof;

namespace {

template <class Producer>
using perf_ring = record_ring<Producer, acquire_release, keep_oldest, perf_abi>;

/// What a record of ours must be, to somebody who knows only the kernel's header.
struct judge {
    std::uint64_t next = 0, records = 0, lost = 0, told_bytes = 0, trace = 0;
    bool good = true;
    static void record(void* context, std::uint32_t type, std::uint16_t, const void* payload,
                       std::size_t size) {
        auto& self = *static_cast<judge*>(context);
        std::array<std::uint64_t, 3> words{};
        std::memcpy(words.data(), payload, std::min(size, sizeof words));
        if (type == PERF_RECORD_LOST) {
            self.good = self.good && size == 16 && words[0] == 77;
            self.lost += words[1];
            self.next += words[1];
        } else if (type == PERF_RECORD_AUX) {
            self.good = self.good && size == 24;
            self.told_bytes += words[1];
        } else {
            self.good = self.good && type == PERF_RECORD_SAMPLE && size >= 8 && words[0] == self.next &&
                        trace_bytes::are_from(
                            words[0], std::span(static_cast<const std::byte*>(payload), size).subspan(8));
            ++self.next;
            ++self.records;
        }
    }
    static void aux(void* context, std::uint64_t offset, const void* bytes, std::size_t size) {
        auto& self = *static_cast<judge*>(context);
        self.good = self.good && offset == self.trace &&
                    trace_bytes::are_from(offset, std::span(static_cast<const std::byte*>(bytes), size));
        self.trace += size;
    }
};

template <class Ring>
bool write(Ring& ring, std::uint64_t number, std::size_t words) {
    std::vector<std::byte> bytes(8);
    std::memcpy(bytes.data(), &number, 8);
    const auto rest = trace_bytes::from(number, words * 8);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return ring.write(bytes);
}

} // namespace

TEMPLATE_TEST_CASE(
    "a reader that knows only the kernel's header reads our ring: every record once, or told as lost", "",
    single, nested) {
    auto memory = mapped_memory::shared(4096);
    uapi_reader reader{};
    REQUIRE(uapi_open(&reader, memory.descriptor(), 1) == 0);
    perf_ring<TestType> ring(std::move(memory), {0, 77, 0});
    constexpr std::uint64_t total = 20000;
    std::atomic<bool> done{false};
    std::thread producer([&] {
        std::mt19937_64 random(11);
        for (std::uint64_t i = 0; i != total; ++i) {
            write(ring, i, random() % 20);
            if (i % 32 == 0) std::this_thread::yield();
        }
        done = true;
    });
    judge seen;
    for (bool last = false; !last;) {
        last = done;
        uapi_drain(&reader, judge::record, &seen);
    }
    producer.join();
    uapi_drain(&reader, judge::record, &seen);
    CHECK(seen.good);
    CHECK(reader.wrong == 0);
    CHECK(seen.records + seen.lost + ring.unreported() == total);
    CHECK(seen.records + ring.lost() == total);
    uapi_close(&reader);
}

TEST_CASE("a reader that knows only the kernel's header reads our AUX area, and has its source restarted") {
    auto memory = mapped_memory::shared(1U << 16U);
    auto area = mapped_memory::shared(8192);
    uapi_reader reader{};
    REQUIRE(uapi_open(&reader, memory.descriptor(), 16) == 0);
    REQUIRE(uapi_open_aux(&reader, area.descriptor(), 1U << 20U, 8192, mapped_memory::page_size()) == 0);
    using ring_type = perf_ring<single>;
    ring_type ring(std::move(memory), {0, 77, 0});
    const bool by_tail = GENERATE(false, true); // nobody tells the source
    aux_area<ring_type> aux(ring, std::move(area), {0, 0, by_tail});
    constexpr std::uint64_t total = 300000;
    std::uint64_t stops = 0;
    std::thread source([&] {
        std::mt19937_64 random(12);
        for (std::uint64_t at = 0; at != total;) {
            auto room = aux.begin();
            if (!room) {
                ++stops;
                aux.wait_for_restart();
                continue;
            }
            const auto size = std::min<std::uint64_t>({total - at, 1 + random() % 3000, room.room()});
            at += room.append(trace_bytes::from(at, static_cast<std::size_t>(size)));
        }
    });
    while (!aux.is_stopped()) std::this_thread::yield(); // nobody reads: it must
    judge seen;
    while (seen.trace != total) {
        uapi_drain(&reader, judge::record, &seen);
        uapi_drain_aux(&reader, judge::aux, &seen);
        if (!by_tail) aux.restart(); // PERF_EVENT_IOC_ENABLE
        std::this_thread::yield();
    }
    source.join();
    uapi_drain(&reader, judge::record, &seen);
    CHECK(seen.good);
    CHECK(reader.wrong == 0);
    CHECK(seen.told_bytes == total);
    CHECK(ring.lost() == 0);
    CHECK(stops > 0);
    uapi_close(&reader);
}

TEST_CASE("that reader is one for the kernel's ring: it reads one") {
    perf_event_attr attr{};
    attr.size = PERF_ATTR_SIZE_VER5;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    attr.comm = 1;
    attr.exclude_kernel = 1;
    const int descriptor = static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0UL));
    if (descriptor < 0) {
        WARN("skipped: perf_event_open: " << std::strerror(errno));
        return;
    }
    uapi_reader reader{};
    if (uapi_open(&reader, descriptor, 1) != 0) {
        WARN("skipped: mmap of a perf ring: " << std::strerror(errno));
        ::close(descriptor);
        return;
    }
    std::array<char, 16> before{};
    ::prctl(PR_GET_NAME, before.data());
    for (int i = 0; i != 1000; ++i) {
        ::prctl(PR_SET_NAME, "renamed");
        std::uint64_t names = 0;
        uapi_drain(
            &reader,
            [](void* context, std::uint32_t type, std::uint16_t, const void* payload, std::size_t size) {
                if (type == PERF_RECORD_COMM && size == 16 &&
                    std::strcmp(static_cast<const char*>(payload) + 8, "renamed") == 0)
                    ++*static_cast<std::uint64_t*>(context);
            },
            &names);
        REQUIRE(names == 1);
    }
    ::prctl(PR_SET_NAME, before.data());
    CHECK(reader.wrong == 0);
    uapi_close(&reader);
    ::close(descriptor);
}
