// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "../oracle/random_numbers.hpp"

namespace ringproof::verify::mixed_test {
namespace {

using oracle::random_numbers;

constexpr std::memory_order load_orders[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                             std::memory_order_seq_cst},
                            store_orders[] = {std::memory_order_relaxed, std::memory_order_release,
                                              std::memory_order_seq_cst},
                            update_orders[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                               std::memory_order_release, std::memory_order_acq_rel,
                                               std::memory_order_seq_cst};

operation draw(random_numbers& random, int value, bool seq_cst, int least) {
    operation o;
    constexpr kind kinds[] = {kind::load,    kind::load,    kind::load,     kind::store,
                              kind::store,   kind::store,   kind::exchange, kind::add,
                              kind::compare, kind::compare, kind::fence};
    o.what = kinds[random.below(std::size(kinds))];
    if (o.what == kind::fence && random.percent(50)) o.what = kind::load;
    const int leave = seq_cst ? 0 : 1; // the last of the orders is seq_cst
    if (o.what == kind::load)
        o.order = load_orders[random.below(3 - leave)];
    else if (o.what == kind::store)
        o.order = store_orders[random.below(3 - leave)];
    else
        o.order = update_orders[random.below(5 - leave)];
    if (o.what == kind::fence && o.order == std::memory_order_relaxed) o.order = std::memory_order_acq_rel;
    if (o.what == kind::compare) o.failure = load_orders[random.below(3 - leave)];
    o.word = random.percent(25);
    o.count = random.percent(40) ? units : random.percent(50) ? units / 2 : least;
    o.first = random.below(units / o.count) * o.count;
    o.value = value;
    if (random.percent(40)) o.expected = 1 + random.below(value);
    if (o.what == kind::load && o.expected != 0 && o.expected != value && random.percent(60))
        o.what = kind::await;
    return o;
}

const char* name(std::memory_order o) {
    switch (o) {
    case std::memory_order_relaxed:
        return "rlx";
    case std::memory_order_acquire:
        return "acq";
    case std::memory_order_release:
        return "rel";
    case std::memory_order_acq_rel:
        return "ar";
    default:
        return "sc";
    }
}

} // namespace

program generate(std::uint64_t seed, bool seq_cst) {
    random_numbers random(seed * 2 + (seq_cst ? 1 : 0));
    program p;
    p.unit_bytes = 1 + random.below(2);
    const int threads = 2 + random.below(2), total = 4 + random.below(3);
    const int least = random.percent(50) ? 1 : 2; // half of the programs know no access of one unit
    p.threads.resize(static_cast<std::size_t>(threads));
    for (int i = 0; i < total; ++i)
        p.threads[static_cast<std::size_t>(i < threads ? i : random.below(threads))].push_back(
            draw(random, i + 1, seq_cst, least));
    return p;
}

std::string to_string(const program& p) {
    constexpr const char* kinds[] = {"load", "store", "exchange", "add", "compare", "fence", "await"};
    std::string text = "units of " + std::to_string(p.unit_bytes) + " bytes\n";
    for (const auto& thread : p.threads) {
        for (const operation& o : thread) {
            text += std::string("  ") + kinds[static_cast<int>(o.what)] + "." + name(o.order);
            if (o.what == kind::fence) continue;
            text += " " + std::to_string(o.word) + "[" + std::to_string(o.first) + "+" +
                    std::to_string(o.count) + "]";
            if (o.what == kind::await) text += " until " + std::to_string(o.expected);
            if (o.what == kind::compare) text += " " + std::to_string(o.expected) + "/" + name(o.failure);
            if (o.writes()) text += " " + std::to_string(o.value);
            text += ";";
        }
        text += "\n";
    }
    return text;
}

std::string to_string(const outcome& o, const program& p) {
    char hex[16];
    std::string text;
    std::size_t at = 0;
    for (const auto& thread : p.threads) {
        for (std::size_t i = 0; i < thread.size(); ++i, ++at) {
            std::snprintf(hex, sizeof hex, "%08x ", o.read[at]);
            text += thread[i].reads() ? hex : "- ";
        }
        text += "| ";
    }
    for (const std::uint32_t w : o.memory) {
        std::snprintf(hex, sizeof hex, "%08x ", w);
        text += hex;
    }
    return text;
}

} // namespace ringproof::verify::mixed_test
