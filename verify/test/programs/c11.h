/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The programs in C. */

#ifdef __cplusplus
extern "C" {
#endif

void c11_handover(void);
void c11_lost_wakeup(void);
void c11_recursive(void);
void c11_race(void);

/* verifier.c */
void verifier_assume(void);
void verifier_spawn(void);
void verifier_nondet(void);
void verifier_bool(void);

#ifdef __cplusplus
}
#endif
