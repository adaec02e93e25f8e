/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a program that forks can ask of the checker, in C and C++. */

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The child may be killed (SIGKILL) at any of its accesses, or never. Both are explored: waitpid() then says WIFSIGNALED, and
 * shared memory stays as the child left it. kill(child, SIGKILL) needs no such call: the signal comes at any time behind it.
 * Outside of the checker this function is missing, so call it where a macro of your own says that the program is checked. */
void ringproof_may_be_killed(pid_t child);

#ifdef __cplusplus
}
#endif
