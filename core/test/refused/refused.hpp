// SPDX-License-Identifier: Apache-2.0
#pragma once
// Each REFUSED names something that must not compile, and a part of the sentence that the compiler must say in the first
// line of its one error. refused_test.cmake compiles the file and holds the errors against the sentences, in their order.
#define REFUSED(sentence, ...) static_assert(sizeof(__VA_ARGS__) != 0)

/// A member of what is derived from, renamed: another of that name hides it.
#define HIDES(member) void member() = delete;
/// A constant, renamed.
#define DOES_NOT_SAY(constant) using constant = void;
/// A policy like another, without one member: WITHOUT(HIDES, begin, padded) makes without_begin.
#define WITHOUT(lack, member, of)                                                                            \
    struct without_##member : of {                                                                           \
        lack(member)                                                                                         \
    }
