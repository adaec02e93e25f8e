// SPDX-License-Identifier: Apache-2.0
#include "enumerate.hpp"
#include "litmus_programs.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {

TEST_CASE("every litmus program has its known number of executions under rc11, sc and ra") {
    for (const counted_program& known : litmus_programs()) {
        CAPTURE(known.name, to_string(known.code));
        const enumeration rc11 = enumerate(known.code, memory_model::rc11);
        const enumeration sc = enumerate(known.code, memory_model::sc);
        CHECK(rc11.executions == known.rc11);
        CHECK(sc.executions == known.sc);
        CHECK(enumerate(known.code, memory_model::ra).executions == known.ra);
        CHECK_FALSE(rc11.race);
        CHECK(rc11.blocked == 0);
    }
}

TEST_CASE("both enumerators agree on the litmus programs") {
    for (const counted_program& known : litmus_programs()) {
        if (known.rc11 > 100) continue; // too many candidate graphs for the enumerator by definition
        for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::ra}) {
            CAPTURE(known.name, to_string(known.code));
            const enumeration grown = enumerate(known.code, model);
            const enumeration defined = enumerate_by_definition(known.code, model);
            CHECK(grown.executions == defined.executions);
            CHECK(grown.outcomes == defined.outcomes);
        }
    }
}

TEST_CASE("a later relaxed store of the same thread does not extend a release sequence") {
    using namespace write;
    const program mp_rels_acq{{plain_store(0, 1), store(0, 0, rel), store(0, 1, rlx)},
                              {load(0, acq, 0), skip_if(0, comparison::equal, 0, 1), plain_load(0, 1)}};
    CHECK(enumerate(mp_rels_acq, memory_model::rc11).race);
    CHECK_FALSE(enumerate(mp_rels_acq, memory_model::sc).race);
}

TEST_CASE("outcomes name what each thread read and what remains in memory") {
    using namespace write;
    const program lb{{load(0, rlx, 0), store(1, 1, rlx)}, {load(1, rlx, 0), store(0, 1, rlx)}};
    const enumeration found = enumerate(lb, memory_model::rc11);
    std::set<std::string> texts;
    for (const outcome& one : found.outcomes) texts.insert(to_string(one, lb));
    CHECK(texts == std::set<std::string>{"T0:r0=0 T1:r0=0 x0=1 x1=1", "T0:r0=0 T1:r0=1 x0=1 x1=1",
                                         "T0:r0=1 T1:r0=0 x0=1 x1=1"});
}

} // namespace ringproof::verify::oracle
