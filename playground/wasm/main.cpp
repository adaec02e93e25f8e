// SPDX-License-Identifier: Apache-2.0
// The simulator's entry for WebAssembly: what a page's script calls.

#include "../../litmus/src/answer/answer.hpp"

#include <emscripten.h>
#include <nlohmann/json.hpp>
#include <string>

using namespace ringproof::litmus;

/// Both texts are UTF-8 and end with a zero. The answer is JSON, and stays until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* ringproof_answer(const char* text, const char* model,
                                                             int unroll) {
    static answerer simulator;
    static std::string answer;
    request r;
    r.text = text;
    r.model = model;
    r.unroll = unroll;
    // Messages quote the text, which may be cut in the middle of a character.
    answer = simulator.answer(r).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return answer.c_str();
}
