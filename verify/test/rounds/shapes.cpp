// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

namespace ringproof::verify::rounds {
namespace {

constexpr fate next = fate::next, anew = fate::anew, leaves = fate::leaves;
constexpr unsigned x = 0, y = 1, z = 2;

step load(unsigned word, std::array<fate, 4> fates = {next, next, next, next}) {
    step s;
    s.word = static_cast<std::uint8_t>(word);
    s.fates = fates;
    return s;
}
step own() {
    step s;
    s.what = step_kind::own;
    return s;
}
/// Exchanges what was read first for one more, or begins anew.
step exchange(unsigned word, fate failed = anew) {
    step s = load(word, {failed, failed, failed, failed});
    s.what = step_kind::compare;
    return s;
}
/// Ends the loop where it sees what was read first.
step same(unsigned word) {
    step s = load(word, {leaves, anew, anew, anew});
    s.relative = true;
    return s;
}
statement rounds_of(std::vector<step> steps) {
    statement s;
    s.what = statement_kind::rounds;
    s.steps = std::move(steps);
    return s;
}
statement store(unsigned word, int value) {
    statement s;
    s.word = word;
    s.value = value;
    return s;
}
/// Reads `word`; stores in `to` what that tells.
statement depends(unsigned word, int if_value, unsigned to, int value, int otherwise) {
    statement s = store(word, value);
    s.what = statement_kind::depends;
    s.to = to;
    s.if_value = if_value, s.otherwise = otherwise;
    return s;
}
statement tell_own() {
    statement s;
    s.what = statement_kind::tell_own;
    return s;
}

program made(std::vector<std::vector<statement>> threads, std::array<int, words> first = {0, 0, 0}) {
    program p;
    p.threads = std::move(threads);
    p.first = first;
    return p;
}

} // namespace

std::vector<shape> shapes() {
    const step looks_once = load(y, {anew, next, next, next});
    return {
        {"another's read, made within the round, is revisited",
         made({{rounds_of({load(x), load(y, {anew, anew, leaves, anew})})},
               {depends(z, 0, y, 1, 2)},
               {store(x, 1), depends(x, 1, z, 1, 1)}})},
        {"the first read is revisited, as it saw the newest",
         made({{rounds_of({load(x), load(y), exchange(x)})},
               {rounds_of({load(x), load(z), exchange(x)})},
               {depends(y, 0, z, 1, 1)}})},
        {"who replaced the first value is not known to the write that revisits the second read",
         made({{rounds_of({load(x), looks_once, exchange(x)})},
               {rounds_of({load(x), exchange(x, leaves)})},
               {depends(z, 0, y, 1, 1)},
               {depends(z, 0, y, 2, 2)}})},
        {"a store, not an exchange, replaced the first value",
         made({{rounds_of({load(x), looks_once, exchange(x)})},
               {depends(z, 0, x, 1, 1)},
               {depends(z, 0, y, 1, 1)},
               {depends(x, 1, y, 2, -1)}})},
        {"an exchange still reads the value that a store replaced",
         made({{rounds_of({load(x), looks_once, exchange(x)})},
               {depends(z, 0, x, 3, 3), store(y, 1), store(y, 2)}})},
        {"a sequence lock", made({{rounds_of({load(x), load(y), same(x)})},
                                  {rounds_of({load(x), load(y), same(x)})},
                                  {store(x, 1), store(y, 1), store(x, 2)}})},
        {"a later write of the second word ends the round otherwise",
         made({{rounds_of({load(x), load(y, {anew, anew, leaves, anew}), load(z)})},
               {store(x, 1), depends(z, 0, y, 1, 1), store(y, 2)}})},
        {"a round leaves something in memory of its own",
         made({{rounds_of({load(x, {next, next, leaves, next}), own(), load(y, {anew, anew, anew, anew})}),
                tell_own()},
               {store(x, 1), store(x, 2)}},
              {3, 0, 0})},
        {"the first value comes again",
         made({{rounds_of({load(x), load(y), exchange(x)})}, {store(x, 1), store(x, 0)}, {store(y, 1)}})},
        {"the exchange is of another word than the first",
         made({{rounds_of({load(x), load(y), exchange(z)})},
               {store(x, 1), store(y, 1)},
               {rounds_of({load(z), exchange(z, leaves)})}})},
    };
}

} // namespace ringproof::verify::rounds
