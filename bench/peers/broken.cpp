// SPDX-License-Identifier: Apache-2.0
// A queue that is wrong in a chosen way once in a while. A benchmark that does not notice measures nothing.
#include "../src/workload/adapter.hpp"
#include "peers.hpp"

#include <deque>
#include <mutex>
#include <stdexcept>

namespace ringproof::bench {
namespace {

enum class fault { lose, twice, reorder, damage, hang };
constexpr std::uint64_t every = 13; ///< less than a stride: even a run that was starved shows it

template <fault Fault>
struct broken {
    static constexpr bool one_producer = true;
    using payload = item;

    broken(std::size_t most, std::size_t) : capacity(most) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        const std::lock_guard lock(mutex);
        if (queue.size() >= capacity) return false;
        const bool now = ++pushes % every == 0;
        if (Fault == fault::lose && now) return true;
        if (Fault == fault::twice && now) queue.push_back(p);
        if (Fault == fault::reorder && now && !queue.empty())
            queue.push_front(p);
        else
            queue.push_back(p);
        return true;
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        {
            const std::lock_guard lock(mutex);
            if (queue.empty()) return false;
            if (Fault == fault::hang && pushes > every) return false;
            p = queue.front();
            queue.pop_front();
        }
        if (Fault == fault::damage && p != 0 && p % every == 0) p ^= std::uint64_t{1} << 40;
        use(p);
        return true;
    }

    broken& producer() { return *this; }
    broken& consumer() { return *this; }
    std::size_t capacity;
    std::mutex mutex;
    std::deque<payload> queue;
    std::uint64_t pushes = 0;
};

template <fault Fault>
void add(catalogue& out) {
    add_spsc_items<broken<Fault>>(out, "broken");
}

} // namespace

void add_broken_peer(catalogue& out, const std::string& mode) {
    if (mode == "lose") return add<fault::lose>(out);
    if (mode == "twice") return add<fault::twice>(out);
    if (mode == "reorder") return add<fault::reorder>(out);
    if (mode == "damage") return add<fault::damage>(out);
    if (mode == "hang") return add<fault::hang>(out);
    throw std::invalid_argument("no way to break a queue named '" + mode + "'");
}

} // namespace ringproof::bench
