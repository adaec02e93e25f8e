/* SPDX-License-Identifier: Apache-2.0 */
/* The letters of the C programs, with policy and letter chosen when they are called. Compiled so that accesses call hooks. */
#include "barriers_called.h"

#define FENCES (c_policy.fences)
#define WITHOUT (c_policy.without)
#include "../../opinions/genmc/barriers.h"

struct c_policy c_policy;

void call_in_c(char letter, uint64_t* word) {
    position* const at = (position*)word;
    switch (letter) {
    case 'A':
        (void)load_tail(at);
        break;
    case 'B':
        publish_head(at, 1);
        break;
    case 'C':
        (void)load_head(at);
        break;
    case 'D':
        release_tail(at, 1);
        break;
    case 'a':
        (void)load_vacancy(word);
        break;
    case 'b':
        commit(word, 1);
        break;
    case 'c':
        (void)load_commit(word);
        break;
    case 'd':
        vacate(word, 1);
        break;
    case 'n':
        (void)claimed(at);
        break;
    case 'x': {
        uint64_t expected = 0;
        (void)claim(at, &expected, 1);
        break;
    }
    case '+':
        count_shared(at);
        break;
    case 'I':
        intend(at, 1);
        break;
    case 'J':
        (void)load_intent(at);
        break;
    case 'p':
        put_word(at, 1);
        break;
    case 'g':
        (void)get_word(at);
        break;
    case 'o':
        (void)own(at);
        break;
    default:
        break;
    }
}

int letter_in_c(char letter) {
    switch (letter) {
    case 'A':
        return letter_a;
    case 'B':
        return letter_b;
    case 'C':
        return letter_c;
    case 'D':
        return letter_d;
    case 'I':
        return letter_i;
    case 'J':
        return letter_j;
    default:
        return no_letter;
    }
}
