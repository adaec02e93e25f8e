// SPDX-License-Identifier: Apache-2.0
// `aux_file FILE`: trace of our own AUX area, in a perf.data file as perf writes it. What is in it goes to standard output.
#include "data_file.hpp"

#include <cstdio>
#include <ringproof/aux/aux_trace.hpp>
#include <span>
#include <vector>

using namespace ringproof;
using namespace ringproof::record_command;

namespace {

/// perf dumps trace of this kind without asking what is in it (PERF_AUXTRACE_HISI_PTT).
struct auxtrace_info {
    std::uint32_t type = 6, reserved = 0;
    std::uint64_t own = 0;
};

struct into_file {
    data_file& file;
    std::size_t records = 0, pieces = 0, bytes = 0;
    void on_record(const record& one) {
        std::vector<std::byte> payload(one.size());
        one.copy_to(payload);
        file.record(one.type(), one.misc(), payload);
        ++records;
    }
    void on_trace(const auxtrace& one) {
        file.raw(std::as_bytes(std::span(&one.header, 1)));
        file.raw(one.bytes.first);
        file.raw(one.bytes.second);
        file.raw(std::vector<std::byte>(one.padding));
        ++pieces;
        bytes += one.bytes.size();
    }
    void on_part(const trace_part&) {}
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    perf_event_attr attr{};
    attr.size = PERF_ATTR_SIZE_VER7;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_DUMMY;
    const file_event events[] = {{attr, {}}};
    data_file file(argv[1], events);
    const auxtrace_info info;
    file.record(record_type::auxtrace_info, 0, std::as_bytes(std::span(&info, 1)));
    record_ring<> ring(4096);
    aux_area<record_ring<>> area(ring, 4096);
    trace_reader reader(ring, area);
    into_file out{file};
    for (int i = 0; i != 20; ++i) {
        // Sizes that are no multiple of 8, and that go around the end.
        if (auto room = area.begin()) room.append(std::vector<std::byte>(1001, static_cast<std::byte>(i)));
        reader.round(out);
    }
    reader.finish(out);
    file.flush();
    std::printf("%zu %zu %zu\n", out.records, out.pieces, out.bytes);
}
