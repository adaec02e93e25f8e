// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wrong use by the program itself (two batches of one ring at a time) is a broken contract. Bad input and bad
// memory never are: those come back as a result.
//
// RINGPROOF_CONTRACTS  1  check, and end the program with the sentence (default without NDEBUG)
//                      0  do not check (default with NDEBUG)
#include <cstdio>
#include <cstdlib>

#ifndef RINGPROOF_CONTRACTS
#ifdef NDEBUG
#define RINGPROOF_CONTRACTS 0
#else
#define RINGPROOF_CONTRACTS 1
#endif
#endif

namespace ringproof::detail {

[[noreturn]] inline void contract_broken(const char* sentence, const char* file, int line) noexcept {
    std::fprintf(stderr, "%s:%d: contract broken: %s\n", file, line, sentence);
    std::abort();
}

} // namespace ringproof::detail

#if RINGPROOF_CONTRACTS
#define RINGPROOF_CONTRACT(condition, sentence)                                                              \
    ((condition) ? static_cast<void>(0) : ::ringproof::detail::contract_broken(sentence, __FILE__, __LINE__))
#else
#define RINGPROOF_CONTRACT(condition, sentence) static_cast<void>(0)
#endif
