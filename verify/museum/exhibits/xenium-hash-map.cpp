// SPDX-License-Identifier: Apache-2.0
// Includes what the next two do not.
#include <xenium/reclamation/quiescent_state_based.hpp>

#include <thread>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/vyukov_hash_map.hpp>

struct identity {
    std::size_t operator()(unsigned key) const { return key; }
};
using reclaimer = xenium::policy::reclaimer<xenium::reclamation::epoch_based2<>>;
using hash_map = xenium::vyukov_hash_map<unsigned, unsigned, reclaimer, xenium::policy::hash<identity>>;

int main() {
    constexpr unsigned buckets = 128, one_too_many = 4;
    hash_map map(buckets);
    const auto fill = [&](unsigned bucket) {
        for (unsigned i = 0; i < one_too_many; ++i) map.emplace(bucket + i * buckets, i);
    };
    std::thread other([&] { fill(0); });
    fill(1);
    other.join();
}
