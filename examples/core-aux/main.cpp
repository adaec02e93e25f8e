// SPDX-License-Identifier: Apache-2.0
// Bulk trace beside a ring of records: all of it, the newest of it, and many threads' records through one reader.
#include <ringproof/aux/aux_trace.hpp>
#include <ringproof/aux/aux_window.hpp>
#include <ringproof/session/session.hpp>

#include <cstdio>
#include <span>
#include <thread>
#include <vector>

namespace {

struct printer {
    void on_record(const ringproof::record&) {}
    void on_trace(const ringproof::auxtrace& one) { std::printf("%zu bytes of trace\n", one.bytes.size()); }
    void on_part(const ringproof::trace_part& one) { missing = missing || one.discontinuous(); }
    bool missing = false;
};

} // namespace

int main() {
    const std::vector<std::byte> trace(1000, std::byte{7});
    ringproof::record_ring<> ring(4096);

    // Normal mode: nothing is overwritten, the source gets as much room as there is.
    ringproof::aux_area area(ring, 4096);
    if (auto room = area.begin()) room.append(trace); // its end publishes
    ringproof::trace_reader reader(ring, area);
    printer out;
    reader.finish(out);
    std::printf("%s\n", out.missing ? "something is missing" : "nothing is missing");

    // Snapshot mode: the source goes on for ever, the newest bytes are copied when something has happened.
    ringproof::aux_window<ringproof::record_ring<>> window(ring, 4096);
    for (int i = 0; i != 10; ++i) window.begin().append(trace);
    const auto seen = window.take(512);
    std::printf("%zu bytes, the last of %llu\n", seen.bytes().size(),
                static_cast<unsigned long long>(seen.head()));

    // Many threads, a ring for each CPU, one reader in the order of time.
    ringproof::session<> session({ringproof::deployment::system_wide, {}});
    const auto event = session.open();
    session.map(event);
    std::vector<std::thread> threads;
    for (int t = 0; t != 3; ++t)
        threads.emplace_back([&] {
            auto mine = session.attach();
            for (int i = 0; i != 100; ++i) mine.write(event, std::as_bytes(std::span(&i, 1)));
        });
    for (auto& one : threads) one.join();
    std::size_t count = 0;
    session.close([&](const ringproof::session_record&) { ++count; });
    std::printf("%zu records of 3 threads\n", count);
    return count == 300 && !out.missing && seen.bytes().size() == 512 ? 0 : 1;
}
