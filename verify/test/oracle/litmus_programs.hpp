// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs whose execution counts are known from the literature and from a published optimal checker.
// The engine's tests run the same list.

#include "program.hpp"

#include <string>
#include <vector>

namespace ringproof::verify::oracle {

struct counted_program {
    std::string name;
    program code;
    std::uint64_t rc11, sc, ra; ///< those of ra by hand: no psc, and relaxed accesses synchronise
};

inline std::vector<counted_program> litmus_programs() {
    using namespace write;
    constexpr int x = 0, y = 1, z = 2;
    const auto equals = comparison::equal;
    const auto sb = [&](order store_order, order load_order) {
        return program{{store(x, 1, store_order), load(y, load_order, 0)},
                       {store(y, 1, store_order), load(x, load_order, 0)}};
    };
    const auto iriw = [&](order how) {
        return program{{store(x, 1, sc)},
                       {load(x, how, 0), load(y, sc, 1)},
                       {load(y, how, 0), load(x, sc, 1)},
                       {store(y, 1, sc)}};
    };
    const auto two_plus_two_w = [&](order how) {
        return program{{store(x, 1, how), store(y, 2, how)}, {store(y, 1, how), store(x, 2, how)}};
    };
    return {
        {"SB rel/acq", sb(rel, acq), 4, 3, 4},
        {"SB+4sc", sb(sc, sc), 3, 3, 4},
        {"SB+scfs",
         {{store(x, 1, rlx), fence(sc), load(y, rlx, 0)}, {store(y, 1, rlx), fence(sc), load(x, rlx, 0)}},
         3,
         3,
         4},
        {"SB+2sc+scf",
         {{store(x, 1, sc), load(y, sc, 0)}, {store(y, 1, rlx), fence(sc), load(x, rlx, 0)}},
         3,
         3,
         4},
        {"SB+rfis",
         {{store(x, 1, rel), load(x, sc, 0), load(y, sc, 1)},
          {store(y, 1, rel), load(y, sc, 0), load(x, sc, 1)}},
         4,
         3,
         4},
        {"MP", {{store(x, 1, rel), store(y, 1, rel)}, {load(y, acq, 0), load(x, acq, 1)}}, 3, 3, 3},
        {"MP+rel+acq",
         {{plain_store(0, 1), store(y, 1, rel)},
          {load(y, acq, 0), skip_if(0, equals, 0, 1), plain_load(0, 1)}},
         2,
         2,
         2},
        // With the datum as an atomic, since with plain data the answer is a race.
        {"MP+rels+acq, races off",
         {{store(x, 1, rlx), store(y, 0, rel), store(y, 1, rlx)},
          {load(y, acq, 0), skip_if(0, equals, 0, 1), load(x, rlx, 1)}},
         4,
         3,
         3},
        {"MPU+rel+acq",
         {{plain_store(0, 1), store(y, 1, rel)},
          {fetch_add(y, 1, rlx)},
          {load(y, acq, 0), skip_if(0, comparison::less, 2, 1), plain_store(0, 2)}},
         6,
         6,
         6},
        {"LB acq/rel", {{load(y, acq, 0), store(x, 1, rel)}, {load(x, acq, 0), store(y, 1, rel)}}, 3, 3, 3},
        {"LB2", {{load(x, rlx, 0), store(y, 1, rlx)}, {load(y, rlx, 0), store(x, 1, rlx)}}, 3, 3, 3},
        {"LB3",
         {{load(x, rlx, 0), store(y, 1, rlx)},
          {load(y, rlx, 0), store(z, 1, rlx)},
          {load(z, rlx, 0), store(x, 1, rlx)}},
         7,
         7,
         7},
        {"LB+dep",
         {{load(x, rlx, 0), store(y, reg(0) + 1, rlx)}, {load(y, rlx, 0), store(x, 1, rlx)}},
         3,
         3,
         3},
        {"LB+ctrl",
         {{load(x, rlx, 0), skip_if(0, equals, 0, 2), store(y, 1, rlx), skip_if(0, equals, 1, 1),
           store(y, 2, rlx)},
          {load(y, rlx, 0), store(x, 1, rlx)}},
         3,
         3,
         3},
        {"IRIW-acq-sc", iriw(acq), 16, 15, 16},
        {"IRIW-sc", iriw(sc), 15, 15, 16},
        {"2+2W", two_plus_two_w(rel), 4, 3, 4},
        {"2+2W+4sc", two_plus_two_w(sc), 3, 3, 4},
        {"CoRR", {{store(x, 1, rel), store(x, 2, rel)}, {load(x, acq, 0), load(x, acq, 1)}}, 6, 6, 6},
        {"CoRW", {{load(x, acq, 0), store(x, 1, rel)}, {store(x, 2, rel)}}, 3, 3, 3},
        {"CoWR", {{store(x, 1, rel), load(x, acq, 0)}, {store(x, 2, rel)}}, 3, 3, 3},
        {"Z6+acq",
         {{store(x, 1, rlx), fence(sc), store(y, 1, rlx)},
          {load(y, acq, 0), store(z, 1, rlx)},
          {store(z, 2, rlx), fence(sc), load(x, rlx, 0)}},
         7,
         7,
         8},
        {"isa2",
         {{store(x, 1, rlx), store(y, 1, rel)},
          {load(y, acq, 0), store(z, 1, rel)},
          {load(z, acq, 0), load(x, rlx, 1)}},
         7,
         7,
         7},
        {"WRC+dep",
         {{store(x, 1, rlx)},
          {load(x, rlx, 0), store(y, reg(0), rlx)},
          {load(y, rlx, 0), fence(ar), load(x, rlx, 1)}},
         8,
         7,
         7},
        {"fr+w+w+w+reads",
         {{store(x, 1, rlx)},
          {store(x, 2, rlx)},
          {store(x, 3, rlx)},
          {load(x, rlx, 0), load(x, rlx, 1), load(x, rlx, 2), load(x, rlx, 3)}},
         210,
         210,
         210},
        {"inc+inc+RR+W+RR",
         {{fetch_add(x, 1, rlx)},
          {fetch_add(x, 1, rlx)},
          {load(x, rlx, 0), load(x, rlx, 1)},
          {store(x, 42, rlx)},
          {load(x, rlx, 0), load(x, rlx, 1)}},
         600,
         600,
         600},
        // Two counted by hand: of all reads-from choices only the one that sc forbids is forbidden.
        // This one by psc_F, through a relaxed reads-from that is not happens-before:
        {"IRIW+scfs",
         {{store(x, 1, rlx)},
          {load(x, rlx, 0), fence(sc), load(y, rlx, 1)},
          {load(y, rlx, 0), fence(sc), load(x, rlx, 1)},
          {store(y, 1, rlx)}},
         15,
         15,
         16},
        // and this one by psc_base, through happens-before between two seq_cst accesses:
        {"SB over a release-acquire hop",
         {{store(x, 1, sc), store(z, 1, rel)},
          {load(z, acq, 0), load(y, sc, 1)},
          {store(y, 1, sc), load(x, sc, 0)}},
         7,
         7,
         8},
    };
}

} // namespace ringproof::verify::oracle
