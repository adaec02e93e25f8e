// SPDX-License-Identifier: Apache-2.0
// Barriers that lack one member.
#include "refused.hpp"

#include <ringproof/mpsc_queue.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/session/announcement.hpp>
#include <ringproof/spsc_queue.hpp>

using namespace ringproof;

#define LACKS(member)                                                                                        \
    struct lacks_##member : acquire_release {                                                                \
        HIDES(member)                                                                                        \
    }

LACKS(load_tail);
REFUSED("Barriers lacks load_tail(tail): letter A", record_ring<single, lacks_load_tail>);
LACKS(publish_head);
REFUSED("Barriers lacks publish_head(head, value): letter B", spsc_queue<int, lacks_publish_head>);
LACKS(load_head);
REFUSED("Barriers lacks load_head(head): letter C", mpsc_queue<int, lacks_load_head>);
LACKS(release_tail);
REFUSED("Barriers lacks release_tail(tail, value): letter D", announcement<lacks_release_tail>);
LACKS(load_vacancy);
REFUSED("Barriers lacks load_vacancy(word): letter A in band", record_ring<single, lacks_load_vacancy>);
LACKS(commit);
REFUSED("Barriers lacks commit(word, value): letter B in band", spsc_queue<int, lacks_commit>);
LACKS(load_commit);
REFUSED("Barriers lacks load_commit(word): letter C in band", mpsc_queue<int, lacks_load_commit>);
LACKS(vacate);
REFUSED("Barriers lacks vacate(word, value): letter D in band", announcement<lacks_vacate>);
LACKS(claimed);
REFUSED("Barriers lacks claimed or claim, of without_letter", record_ring<single, lacks_claimed>);
LACKS(claim);
REFUSED("Barriers lacks claimed or claim, of without_letter", spsc_queue<int, lacks_claim>);
LACKS(own);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init", mpsc_queue<int, lacks_own>);
LACKS(stat);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init", announcement<lacks_stat>);
LACKS(count_own);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init",
        record_ring<single, lacks_count_own>);
LACKS(count_shared);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init",
        spsc_queue<int, lacks_count_shared>);
LACKS(set_own);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init", mpsc_queue<int, lacks_set_own>);
LACKS(init);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init", announcement<lacks_init>);
LACKS(claim_announced);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        record_ring<single, lacks_claim_announced>);
LACKS(announce);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        spsc_queue<int, lacks_announce>);
LACKS(announced);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        mpsc_queue<int, lacks_announced>);
LACKS(take_place);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        announcement<lacks_take_place>);
LACKS(account);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        record_ring<single, lacks_account>);
LACKS(interrupt_barrier);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        spsc_queue<int, lacks_interrupt_barrier>);
LACKS(local_cmpxchg);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        mpsc_queue<int, lacks_local_cmpxchg>);
LACKS(local_add);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        announcement<lacks_local_add>);
LACKS(cpu);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        record_ring<single, lacks_cpu>);
LACKS(claim_on);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        spsc_queue<int, lacks_claim_on>);
LACKS(intend);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        mpsc_queue<int, lacks_intend>);
LACKS(intended);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        announcement<lacks_intended>);
LACKS(load_intent);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        record_ring<single, lacks_load_intent>);
LACKS(mark);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        spsc_queue<int, lacks_mark>);
LACKS(load_mark);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        mpsc_queue<int, lacks_load_mark>);
LACKS(claim_over);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        announcement<lacks_claim_over>);
LACKS(put_word);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", record_ring<single, lacks_put_word>);
LACKS(get_word);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", spsc_queue<int, lacks_get_word>);
LACKS(put_words);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", mpsc_queue<int, lacks_put_words>);
LACKS(get_words);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", announcement<lacks_get_words>);
LACKS(raise);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", record_ring<single, lacks_raise>);
LACKS(lower);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", spsc_queue<int, lacks_lower>);
LACKS(raised);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", mpsc_queue<int, lacks_raised>);
LACKS(settle);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", announcement<lacks_settle>);
LACKS(sleep_while);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", record_ring<single, lacks_sleep_while>);
