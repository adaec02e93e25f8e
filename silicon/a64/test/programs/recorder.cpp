// SPDX-License-Identifier: Apache-2.0
// The core's recorder as it ships: a record is written over the oldest one while a snapshot is taken.
#include "weakened.hpp"

#include <cassert>
#include <cstdint>
#include <ringproof/recorder.hpp>
#include <span>
#include <thread>
#ifndef DIRECTION
#define DIRECTION backward
#endif

int main() {
    ringproof::recorder<ringproof::single, ringproof::DIRECTION, weakened> ring{64};
    const auto write = [&](std::uint64_t number) { ring.write(std::as_bytes(std::span(&number, 1))); };
    for (std::uint64_t i = 1; i <= 4; ++i) write(i);
    std::thread writer([&] { write(5); });
    const auto seen = ring.take();
    std::uint64_t newer = 0;
    for (const auto& record : seen.records()) {
        const auto number = record.template as<std::uint64_t>();
        assert(number.has_value());
        assert(newer == 0 ? *number >= 4 : *number + 1 == newer);
        newer = *number;
    }
    assert(seen.error() == ringproof::snapshot_error::none);
    writer.join();
}
