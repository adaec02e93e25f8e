// SPDX-License-Identifier: Apache-2.0
#pragma once
// Data of the languages that collect garbage: no access races, and nothing needs to be freed.

#define RL_GC
#include "relacy.hpp"

namespace rl {

/// An atomic whose plain reads and writes have the order of the language's variables. `x($) += 1` is a read and a
/// write, as there.
template <class T, std::memory_order Load, std::memory_order Store>
class managed_var {
  public:
    class access {
      public:
        explicit access(const managed_var& of) noexcept : var_(const_cast<managed_var&>(of)) {}
        access(const access&) = default;
        RINGPROOF_RELACY_INLINE operator T() const { return var_.value_.load(Load); }
        RINGPROOF_RELACY_INLINE T operator->() const { return *this; }
        RINGPROOF_RELACY_INLINE T operator=(T value) {
            var_.value_.store(value, Store);
            return value;
        }
        RINGPROOF_RELACY_INLINE T operator=(const access& other) { return *this = static_cast<T>(other); }
        RINGPROOF_RELACY_INLINE T operator++() { return *this += 1; }
        RINGPROOF_RELACY_INLINE T operator--() { return *this -= 1; }
        RINGPROOF_RELACY_INLINE T operator++(int) {
            const T before = *this;
            *this = before + 1;
            return before;
        }
        RINGPROOF_RELACY_INLINE T operator--(int) {
            const T before = *this;
            *this = before - 1;
            return before;
        }
        template <class Operand>
        RINGPROOF_RELACY_INLINE T operator+=(Operand operand) {
            return *this = static_cast<T>(static_cast<T>(*this) + operand);
        }
        template <class Operand>
        RINGPROOF_RELACY_INLINE T operator-=(Operand operand) {
            return *this = static_cast<T>(static_cast<T>(*this) - operand);
        }
        // p($)[i] and the like
        template <class Index>
        RINGPROOF_RELACY_INLINE decltype(auto) operator[](Index index) const {
            return static_cast<T>(*this)[index];
        }

      private:
        managed_var& var_;
    };

    managed_var() noexcept = default;
    managed_var(T value) noexcept : value_(value) {}
    managed_var(const access& other) noexcept : value_(static_cast<T>(other)) {}
    managed_var(const managed_var& other) noexcept : value_(other.value_.load(Load)) {}
    managed_var& operator=(const managed_var&) = delete;

    RINGPROOF_RELACY_INLINE access operator()(debug_info) const { return access(*this); }
    /// For Interlocked.
    std::atomic<T>& word() { return value_; }

  private:
    std::atomic<T> value_{};
};

} // namespace rl
