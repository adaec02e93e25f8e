// SPDX-License-Identifier: Apache-2.0
// A flight recorder: one thread records without ever waiting; when something happens, another looks at the last
// moments, while the recording goes on.
#include <atomic>
#include <cstdio>
#include <ringproof.hpp>
#include <thread>

int main() {
    ringproof::recorder<> recorder(4096);
    std::atomic<bool> done{false};
    std::atomic<std::uint64_t> recorded{0};
    std::thread writer([&] {
        for (std::uint64_t i = 0; !done; ++i) {
            recorder.write(std::as_bytes(std::span(&i, 1)));
            recorded = i + 1;
        }
    });
    while (recorded < 10'000) std::this_thread::yield();
    const auto seen = recorder.take();
    done = true;
    writer.join();

    std::uint64_t expected = 0;
    bool good = true;
    for (const auto& record : seen.records()) { // newest first
        const auto value = record.as<std::uint64_t>();
        good &= value.has_value() && (expected == 0 || *value == expected - 1);
        expected = value.value_or(0);
    }
    const auto last = recorder.take();
    std::printf("%zu records in the snapshot, %zu at rest\n", seen.records().size(), last.records().size());
    return good && last.records().size() == 256 ? 0 : 1;
}
