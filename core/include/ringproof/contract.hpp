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

namespace ringproof::detail {

/// Marks the time in which a function runs code of the caller's, for a contract that this code does not come in again.
/// Where contracts are not checked it does nothing.
class [[nodiscard]] calling_out {
  public:
    explicit calling_out([[maybe_unused]] bool& flag) noexcept {
        if constexpr (RINGPROOF_CONTRACTS != 0) flag_ = &flag, flag = true;
    }
    calling_out(const calling_out&) = delete;
    calling_out& operator=(const calling_out&) = delete;
    ~calling_out() {
        if constexpr (RINGPROOF_CONTRACTS != 0) *flag_ = false;
    }

  private:
    bool* flag_ = nullptr;
};

} // namespace ringproof::detail

#if RINGPROOF_CONTRACTS
#define RINGPROOF_CONTRACT(condition, sentence)                                                              \
    ((condition) ? static_cast<void>(0) : ::ringproof::detail::contract_broken(sentence, __FILE__, __LINE__))
#else
#define RINGPROOF_CONTRACT(condition, sentence) static_cast<void>(0)
#endif
