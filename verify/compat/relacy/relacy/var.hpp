// SPDX-License-Identifier: Apache-2.0
#pragma once
// rl::var: plain data, for which unordered accesses are an error, and so is a read before anything was written.

#include "words.hpp"

namespace rl {

template <class T>
class var;

/// What `x($)` of a var is.
template <class T>
class var_access {
  public:
    RINGPROOF_RELACY_INLINE explicit var_access(var<T>& of) noexcept : var_(of) {}
    var_access(const var_access&) = default;

    RINGPROOF_RELACY_INLINE T load() const { return var_.read(); }
    RINGPROOF_RELACY_INLINE void store(T value) { var_.write(value); }
    RINGPROOF_RELACY_INLINE operator T() const { return load(); }
    RINGPROOF_RELACY_INLINE T operator->() const { return load(); }

    RINGPROOF_RELACY_INLINE T operator=(T value) {
        store(value);
        return value;
    }
    RINGPROOF_RELACY_INLINE T operator=(const var_access& other) { return *this = other.load(); }
    template <class Other>
    RINGPROOF_RELACY_INLINE T operator=(const var_access<Other>& other) {
        return *this = static_cast<T>(other.load());
    }
    RINGPROOF_RELACY_INLINE T operator++() {
        T value = load();
        return *this = ++value;
    }
    RINGPROOF_RELACY_INLINE T operator--() {
        T value = load();
        return *this = --value;
    }
    RINGPROOF_RELACY_INLINE T operator++(int) {
        const T before = load();
        T value = before;
        store(++value);
        return before;
    }
    RINGPROOF_RELACY_INLINE T operator--(int) {
        const T before = load();
        T value = before;
        store(--value);
        return before;
    }
    template <class Operand>
    RINGPROOF_RELACY_INLINE T operator+=(Operand operand) {
        T value = load();
        return *this = static_cast<T>(value += operand);
    }
    template <class Operand>
    RINGPROOF_RELACY_INLINE T operator-=(Operand operand) {
        T value = load();
        return *this = static_cast<T>(value -= operand);
    }
    RINGPROOF_RELACY_INLINE T operator&=(T operand) { return *this = static_cast<T>(load() & operand); }
    RINGPROOF_RELACY_INLINE T operator|=(T operand) { return *this = static_cast<T>(load() | operand); }
    RINGPROOF_RELACY_INLINE T operator^=(T operand) { return *this = static_cast<T>(load() ^ operand); }

  private:
    var<T>& var_;
};

template <class T>
class var {
  public:
    var() {}
    var(T value) : value_(value), written_(true) {}
    var(const var& other) : var(other.read()) {}
    var& operator=(const var&) = delete;

    RINGPROOF_RELACY_INLINE var_access<T> operator()(debug_info) { return var_access<T>(*this); }
    RINGPROOF_RELACY_INLINE const var_access<T> operator()(debug_info) const {
        return var_access<T>(const_cast<var&>(*this));
    }

  private:
    friend class var_access<T>;

    // The value first: of a race this is what a counterexample names.
    RINGPROOF_RELACY_INLINE T read() const {
        const T value = value_;
        asm volatile("" : : "m"(value)); // a read whose value is not used may race like any other
        if (!written_)
            __assert_fail("something was written to this rl::var", __FILE__, __LINE__, __PRETTY_FUNCTION__);
        return value;
    }
    RINGPROOF_RELACY_INLINE void write(const T& value) {
        value_ = value;
        if (!written_) written_ = true;
    }

    T value_{}; // as a suite's storage, which Relacy clears
    bool written_ = false;
};

} // namespace rl

#define VAR_T(...) ::rl::var<__VA_ARGS__>
#define VAR(x) x($)
