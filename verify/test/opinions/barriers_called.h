// SPDX-License-Identifier: Apache-2.0
// What c_barriers_test.cpp calls in C and in C++.
#ifndef RINGPROOF_TEST_BARRIERS_CALLED_H
#define RINGPROOF_TEST_BARRIERS_CALLED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct c_policy {
    int fences, without;
};
extern struct c_policy c_policy;

/// Calls the function of this letter; 'a' to 'd': in band; 'n', 'x', '+': claimed, claim, count_shared; 'p', 'g', 'o': put_word,
/// get_word, own.
void call_in_c(char letter, uint64_t* word);
/// The letter's number there.
int letter_in_c(char letter);

/// The same in core's policy of fences or of acquire and release, with `without` relaxed as scenarios do.
void call_in_core(int fences, char without, char letter, uint64_t* word);

#ifdef __cplusplus
}
#endif

#endif
