// SPDX-License-Identifier: Apache-2.0
#include "c_structures.hpp"

#include <algorithm>

namespace ringproof::verify::linear {
namespace {

operation operation_of(const c_op& from) {
    operation o;
    o.name = from.name;
    o.arguments.assign(from.values.at, from.values.at + std::min(from.values.n, c_max_values));
    o.fresh = from.fresh;
    o.may_fail = from.may_fail;
    o.one_thread = from.one_thread || from.same_thread;
    o.with_previous = from.same_thread;
    o.form = static_cast<answer_form>(from.result);
    o.invoke = [call = from.call](void* object, std::int64_t argument) { return call(object, argument); };
    return o;
}

linear_options options_of(const c_structure& s) {
    linear_options o;
    if (s.threads) o.threads = s.threads;
    if (s.calls) o.calls = s.calls;
    if (s.synchronisations) o.synchronisations = static_cast<unsigned>(std::max(s.synchronisations, 0));
    if (s.writes) o.writes = s.writes;
    o.steps = s.steps;
    o.promise = static_cast<linear::promise>(s.promise);
    if (s.expect_refuted) o.expect = verdict::refuted;
    if (s.assumes) o.assumes = {s.assumes};
    std::vector<memory_model> models;
    for (const c_model m : s.models)
        if (m != c_model::none) models.push_back(model_of(m));
    if (!models.empty()) o.models = models;
    return o;
}

} // namespace

memory_model model_of(c_model m) {
    switch (m) {
    case c_model::ra:
        return memory_model::ra;
    case c_model::tso:
        return memory_model::tso;
    case c_model::sc:
        return memory_model::sc;
    default:
        return memory_model::rc11;
    }
}

test test_of(const c_structure& s, const char* name, c_run run) {
    test t;
    t.name = name;
    t.options = options_of(s);
    for (const c_op& o : s.ops) {
        if (!o.name) break;
        t.operations.push_back(operation_of(o));
    }
    t.run = [&s, run](const test&, unsigned number, unsigned client) { run(&s, number, client); };
    t.alone = [&s](const test& of, made_call* calls, std::size_t n) {
        void* const object = s.make();
        for (std::size_t i = 0; i < n; ++i)
            calls[i].given = of.operations[calls[i].operation].invoke(object, calls[i].argument);
        if (s.destroy) s.destroy(object);
    };
    return t;
}

} // namespace ringproof::verify::linear
