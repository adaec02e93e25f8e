// SPDX-License-Identifier: Apache-2.0
// What linearizable.h, the form for C, calls.

#include "../program/early_heap.hpp"
#include "c_structures.hpp"

#include <ringproof/verify/check.hpp>

#include <cstddef>

namespace rv = ringproof::verify;
namespace linear = rv::linear;

namespace ringproof::verify::linear {
// A client in C writes these, and the engine reads them.
static_assert(sizeof(c_history) == sizeof(history_of_thread) &&
              offsetof(c_history, calls) == offsetof(history_of_thread, calls));
static_assert(sizeof(c_record) == sizeof(record) &&
              offsetof(c_record, returned) == offsetof(record, returned) &&
              offsetof(c_record, known) == offsetof(record, known));
} // namespace ringproof::verify::linear

extern "C" {

RINGPROOF_VERIFY_API unsigned ringproof_linear_add(const linear::c_structure* s, const char* name,
                                                   linear::c_run run, void (*body)(), const char* file,
                                                   int line) {
    const linear::test* kept = nullptr;
    {
        const rv::early_heap::left_alone engine;
        kept = new linear::test(linear::test_of(*s, name, run)); // as long as the program
    }
    rv::main_names_scenarios();
    return linear::add(kept, body, file, line);
}
RINGPROOF_VERIFY_API unsigned ringproof_linear_any_client(unsigned number) {
    return linear::any_client(number);
}
RINGPROOF_VERIFY_API unsigned ringproof_linear_any_survivor(unsigned number, unsigned client) {
    return linear::any_survivor(number, client);
}
RINGPROOF_VERIFY_API unsigned ringproof_linear_threads(unsigned number, unsigned client) {
    return linear::threads(number, client);
}
RINGPROOF_VERIFY_API unsigned ringproof_linear_calls(unsigned number, unsigned client, unsigned thread) {
    return linear::calls(number, client, thread);
}
RINGPROOF_VERIFY_API linear::c_call ringproof_linear_call_at(unsigned number, unsigned client,
                                                             unsigned thread, unsigned call) {
    const linear::client_call what = linear::call_at(number, client, thread, call);
    return {what.operation, what.waits_for, what.sets};
}
RINGPROOF_VERIFY_API std::int64_t ringproof_linear_argument_at(unsigned number, unsigned client,
                                                               unsigned thread, unsigned call) {
    return linear::argument_at(number, client, thread, call);
}
RINGPROOF_VERIFY_API unsigned ringproof_linear_thread_number() { return linear::thread_number(); }
RINGPROOF_VERIFY_API std::uint32_t ringproof_linear_latest_event() { return linear::latest_event(); }
RINGPROOF_VERIFY_API linear::c_known ringproof_linear_known_here() {
    const linear::known_events known = linear::known_here();
    return {known.low, known.high};
}
RINGPROOF_VERIFY_API void ringproof_linear_check(unsigned number, unsigned client,
                                                 const linear::history_of_thread* notes) {
    linear::check(number, client, notes);
}
RINGPROOF_VERIFY_API void ringproof_linear_begin_calls(unsigned number, bool survives) {
    linear::begin_calls(number, survives);
}
RINGPROOF_VERIFY_API void ringproof_linear_end_calls() { linear::end_calls(); }
RINGPROOF_VERIFY_API void ringproof_linear_begin_call(unsigned number) { linear::begin_call(number); }
RINGPROOF_VERIFY_API void ringproof_linear_note_returned() { linear::note_returned(); }
RINGPROOF_VERIFY_API void ringproof_linear_pause() { rv::pause(); }
}
