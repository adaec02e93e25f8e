// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the entries of the zoo break. Each entry states which of these it is about, so that the list of what fell is
// made from results and not typed by hand. Data races, uses after free, deadlocks and livelocks the checker finds
// without being asked.

#include <ringproof/verify/verify.hpp>

namespace ringproof::zoo {

inline constexpr const char* mono = "P-mono: the published head never moves backward";
inline constexpr const char* whole = "P-whole: what is published is complete";
inline constexpr const char* final_head = "P-final: at rest all that was reserved is published";
inline constexpr const char* woken = "P-wake: who sleeps on a crossed watermark has been woken";
inline constexpr const char* intact = "P-intact: what is delivered is what was written";
inline constexpr const char* once = "P-once: nothing is delivered twice";
inline constexpr const char* count = "P-count: delivered + lost = attempted";
inline constexpr const char* bounds = "P-bounds: no access beyond what was granted";
inline constexpr const char* live = "P-live: it goes on";
inline constexpr const char* sparing = "P-spare: no wake-up and no record without a reason";
inline constexpr const char* fresh = "P-fresh: what is delivered is new";
inline constexpr const char* time_runs_forward = "P-time: what stands later in the ring is not older";
inline constexpr const char* life =
    "P-life: nothing is used after it was given back, nothing given back twice";

} // namespace ringproof::zoo

/// States a property at this point of every execution: RINGPROOF_HOLDS(intact, seen == written);
#define RINGPROOF_HOLDS(property, ...)                                                                       \
    do {                                                                                                     \
        if (!(__VA_ARGS__)) ::ringproof::verify::fail(property, __FILE__, __LINE__);                         \
    } while (false)
