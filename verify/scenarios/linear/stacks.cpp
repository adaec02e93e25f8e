// SPDX-License-Identifier: Apache-2.0
// Stacks, each beside one in which a step is missing.

#include "treiber_stack.hpp"

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

using namespace linear_scenarios;
namespace spec = ringproof::verify::linear::spec;

LINEARIZABLE("Treiber's stack", .models = {rc11, tso, sc}) {
    using stack = treiber_stack<>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("Treiber's stack, compared with a specification", .models = {rc11, sc}) {
    using stack = treiber_stack<>;
    object<stack>()
        .like<spec::lifo<>>()
        .op("push", &stack::push, &spec::lifo<>::push, fresh())
        .op("pop", &stack::pop, &spec::lifo<>::pop);
}
LINEARIZABLE("Treiber's stack, mutant: a push overwrites the head", .models = {rc11, sc}, .expect = refuted) {
    using stack = treiber_stack<false>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("Treiber's stack, mutant: a pop overwrites the head", .models = {rc11, sc}, .expect = refuted) {
    using stack = treiber_stack<true, false>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
