/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The functions that test programs of other model checkers call, in C and C++. `ringproof check` finds this
 * header also as <genmc.h> and <dat3m.h>, the names that such programs include. */

#ifdef __cplusplus
extern "C" {
#endif

/* Only executions in which `condition` holds go on; the others count as blocked. */
void __VERIFIER_assume(int condition);

/* The condition must hold whenever this is reached. */
void __VERIFIER_assert(int condition);

/* Must not be reached. */
void __VERIFIER_error(void);
void reach_error(void);

/* A number that nothing is known of. Exploring every int is out of reach: each of 0, 1 and 2 is explored, and
 * the verdict is at best inconclusive, unless the environment variable RINGPROOF_NONDET_BOUND (2 to 1024) says
 * that the numbers below it are all that matter. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

/* Either value: both are explored. */
#ifdef __cplusplus
bool __VERIFIER_nondet_bool(void);
#else
_Bool __VERIFIER_nondet_bool(void);
#endif

/* What other checkers use to speed up loops; here they mean nothing, as loops that wait are recognised. */
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int condition);
void __VERIFIER_loop_begin(void);
void __VERIFIER_loop_bound(int rounds);

#ifdef __cplusplus
}
#endif
