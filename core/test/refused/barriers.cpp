// SPDX-License-Identifier: Apache-2.0
// Barriers that lack one member.
#include "refused.hpp"

#include <ringproof/mpsc_queue.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/session/announcement.hpp>
#include <ringproof/spsc_queue.hpp>

using namespace ringproof;

WITHOUT(HIDES, load_tail, acquire_release);
REFUSED("Barriers lacks load_tail(tail): letter A", record_ring<single, without_load_tail>);
WITHOUT(HIDES, publish_head, acquire_release);
REFUSED("Barriers lacks publish_head(head, value): letter B", spsc_queue<int, without_publish_head>);
WITHOUT(HIDES, load_head, acquire_release);
REFUSED("Barriers lacks load_head(head): letter C", mpsc_queue<int, without_load_head>);
WITHOUT(HIDES, release_tail, acquire_release);
REFUSED("Barriers lacks release_tail(tail, value): letter D", announcement<without_release_tail>);
WITHOUT(HIDES, load_vacancy, acquire_release);
REFUSED("Barriers lacks load_vacancy(word): letter A in band", record_ring<single, without_load_vacancy>);
WITHOUT(HIDES, commit, acquire_release);
REFUSED("Barriers lacks commit(word, value): letter B in band", spsc_queue<int, without_commit>);
WITHOUT(HIDES, load_commit, acquire_release);
REFUSED("Barriers lacks load_commit(word): letter C in band", mpsc_queue<int, without_load_commit>);
WITHOUT(HIDES, vacate, acquire_release);
REFUSED("Barriers lacks vacate(word, value): letter D in band", announcement<without_vacate>);
WITHOUT(HIDES, claimed, acquire_release);
REFUSED("Barriers lacks claimed or claim, of without_letter", record_ring<single, without_claimed>);
WITHOUT(HIDES, claim, acquire_release);
REFUSED("Barriers lacks claimed or claim, of without_letter", spsc_queue<int, without_claim>);
WITHOUT(HIDES, own, acquire_release);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init", mpsc_queue<int, without_own>);
WITHOUT(HIDES, stat, acquire_release);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init", announcement<without_stat>);
WITHOUT(HIDES, count_own, acquire_release);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init",
        record_ring<single, without_count_own>);
WITHOUT(HIDES, count_shared, acquire_release);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init",
        spsc_queue<int, without_count_shared>);
WITHOUT(HIDES, set_own, acquire_release);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init",
        mpsc_queue<int, without_set_own>);
WITHOUT(HIDES, init, acquire_release);
REFUSED("Barriers lacks own, stat, count_own, count_shared, set_own or init", announcement<without_init>);
WITHOUT(HIDES, claim_announced, acquire_release);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        record_ring<single, without_claim_announced>);
WITHOUT(HIDES, announce, acquire_release);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        spsc_queue<int, without_announce>);
WITHOUT(HIDES, announced, acquire_release);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        mpsc_queue<int, without_announced>);
WITHOUT(HIDES, take_place, acquire_release);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        announcement<without_take_place>);
WITHOUT(HIDES, account, acquire_release);
REFUSED("Barriers lacks claim_announced, announce, announced, take_place or account",
        record_ring<single, without_account>);
WITHOUT(HIDES, interrupt_barrier, acquire_release);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        spsc_queue<int, without_interrupt_barrier>);
WITHOUT(HIDES, local_cmpxchg, acquire_release);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        mpsc_queue<int, without_local_cmpxchg>);
WITHOUT(HIDES, local_add, acquire_release);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        announcement<without_local_add>);
WITHOUT(HIDES, cpu, acquire_release);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        record_ring<single, without_cpu>);
WITHOUT(HIDES, claim_on, acquire_release);
REFUSED("Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on",
        spsc_queue<int, without_claim_on>);
WITHOUT(HIDES, intend, acquire_release);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        mpsc_queue<int, without_intend>);
WITHOUT(HIDES, intended, acquire_release);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        announcement<without_intended>);
WITHOUT(HIDES, load_intent, acquire_release);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        record_ring<single, without_load_intent>);
WITHOUT(HIDES, mark, acquire_release);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        spsc_queue<int, without_mark>);
WITHOUT(HIDES, load_mark, acquire_release);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        mpsc_queue<int, without_load_mark>);
WITHOUT(HIDES, claim_over, acquire_release);
REFUSED("Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or",
        announcement<without_claim_over>);
WITHOUT(HIDES, put_word, acquire_release);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", record_ring<single, without_put_word>);
WITHOUT(HIDES, get_word, acquire_release);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", spsc_queue<int, without_get_word>);
WITHOUT(HIDES, put_words, acquire_release);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", mpsc_queue<int, without_put_words>);
WITHOUT(HIDES, get_words, acquire_release);
REFUSED("Barriers lacks put_word, get_word, put_words or get_words", announcement<without_get_words>);
WITHOUT(HIDES, raise, acquire_release);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", record_ring<single, without_raise>);
WITHOUT(HIDES, lower, acquire_release);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", spsc_queue<int, without_lower>);
WITHOUT(HIDES, raised, acquire_release);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", mpsc_queue<int, without_raised>);
WITHOUT(HIDES, settle, acquire_release);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while", announcement<without_settle>);
WITHOUT(HIDES, sleep_while, acquire_release);
REFUSED("Barriers lacks raise, lower, raised, settle or sleep_while",
        record_ring<single, without_sleep_while>);
