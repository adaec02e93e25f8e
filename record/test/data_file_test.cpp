// SPDX-License-Identifier: Apache-2.0
#include "data_file.hpp"

#include "sample_format.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace ringproof::record_command;

namespace {

struct temporary {
    temporary() {
        char name[] = "/tmp/ringproof-data-file-XXXXXX";
        ::close(::mkstemp(name));
        path = name;
    }
    ~temporary() { std::filesystem::remove(path); }
    std::string path;
};

struct reader {
    explicit reader(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    template <class T>
    T at(std::size_t offset) const {
        T value{};
        REQUIRE(offset + sizeof value <= bytes.size());
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    }
    std::vector<char> bytes;
};

} // namespace

TEST_CASE("a file has its sections where its header says, before it is finished and after") {
    const temporary temp;
    perf_event_attr attr{};
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = 9;
    const file_event events[] = {{attr, {77, 78}}, {attr, {}}};
    data_file file(temp.path, events);
    const sample_fields sample{77, 1, 2, 3, 4, 5, 0, 6};
    for (int i = 0; i != 3; ++i) file.record(PERF_RECORD_SAMPLE, 2, std::as_bytes(std::span(&sample, 1)));
    file.flush();
    for (int round = 0; round != 2; ++round) {
        const reader seen(temp.path);
        CHECK(seen.at<std::uint64_t>(0) == 0x32454c4946524550);
        CHECK(seen.at<std::uint64_t>(8) == 104);
        CHECK(seen.at<std::uint64_t>(16) == 144);
        const auto attrs = seen.at<std::uint64_t>(24);
        CHECK(seen.at<std::uint64_t>(32) == 2 * 144);
        CHECK(seen.at<std::uint64_t>(attrs + 8) == 9); // config
        const auto ids = seen.at<std::uint64_t>(attrs + 128);
        CHECK(seen.at<std::uint64_t>(attrs + 136) == 16);
        CHECK(seen.at<std::uint64_t>(ids) == 77);
        CHECK(seen.at<std::uint64_t>(ids + 8) == 78);
        const auto data = seen.at<std::uint64_t>(40);
        CHECK(seen.at<std::uint64_t>(48) == 3 * 56);
        CHECK(seen.at<std::uint32_t>(data + 56) == PERF_RECORD_SAMPLE);
        CHECK(seen.at<std::uint16_t>(data + 60) == 2);
        CHECK(seen.at<std::uint16_t>(data + 62) == 56);
        CHECK(seen.at<std::uint64_t>(data + 64) == 77);
        if (round == 0) {
            CHECK(seen.at<std::uint64_t>(72) == 0);
            const std::string command[] = {"a", "b c"};
            file.finish(command, 4, 5);
        } else {
            const auto features = seen.at<std::uint64_t>(72);
            std::size_t entry = data + 3 * 56;
            for (unsigned bit = 0; bit != 64; ++bit) {
                if ((features >> bit & 1U) == 0) continue;
                const auto offset = seen.at<std::uint64_t>(entry), size = seen.at<std::uint64_t>(entry + 8);
                CHECK(offset + size <= seen.bytes.size());
                if (bit == 21) CHECK(seen.at<std::uint64_t>(offset + 8) == 5);
                if (bit == 11) CHECK(seen.at<std::uint32_t>(offset) == 2);
                entry += 16;
            }
        }
    }
}

TEST_CASE("records have their time stamps, and those too short for one are the oldest") {
    const sample_fields sample{77, 1, 2, 3, 44, 5, 0, 6};
    CHECK(time_of(PERF_RECORD_SAMPLE, std::as_bytes(std::span(&sample, 1))) == 44);
    const struct {
        std::uint64_t lost[2];
        record_trailer trailer;
    } lost{{1, 2}, {0, 0, 45, 0, 0, 0}};
    CHECK(time_of(PERF_RECORD_LOST, std::as_bytes(std::span(&lost, 1))) == 45);
    CHECK(time_of(PERF_RECORD_LOST, {}) == 0);
    CHECK(time_of(PERF_RECORD_SAMPLE, {}) == 0);
}

TEST_CASE("a file that can't be made is an error with its name") {
    CHECK_THROWS_WITH(data_file("/no/such/folder/perf.data", {}),
                      Catch::Contains("/no/such/folder/perf.data"));
}
