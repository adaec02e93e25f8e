// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <algorithm>
#include <array>

namespace ringproof::report {
namespace {

constexpr std::array rules{
    rule{"race", "data-race", "data race",
         "Two threads access the same plain memory, at least one of them writes, and nothing orders the two.",
         "Give the store that publishes the data release order and the load that sees it acquire order, or "
         "hold a "
         "lock around both accesses."},
    rule{"assertion", "assertion", "failed assertion",
         "The memory model allows an execution in which the assertion does not hold.",
         "Follow the steps: the read that surprises is mostly one that may still see an older value. "
         "Strengthen the "
         "order of the store that it should have seen, or correct the assertion."},
    rule{"deadlock", "deadlock", "deadlock", "Every thread that is left waits for another one.",
         "Take locks in the same order everywhere, and notify after the condition has changed."},
    rule{"livelock", "livelock", "livelock",
         "A loop never exits: it has already read the newest value of every location that it waits for.",
         "Look for the store that the loop waits for and that no thread makes any more."},
    rule{"lock misuse", "lock-misuse", "misuse of a lock",
         "A lock is unlocked by a thread that does not hold it, destroyed while it is held, or the like.",
         "Pair each lock with one unlock in the same thread, as std::lock_guard does."},
    rule{"unhandled exception", "unhandled-exception", "unhandled exception",
         "An exception leaves a thread's function or main().", "Catch it, or let the caller know otherwise."},
    rule{"wild access", "wild-access", "wild access",
         "An access outside of the memory that the program has, such as through a null pointer.",
         "Follow the pointer's value back to where it was read."},
    rule{"use after free", "use-after-free", "use after free",
         "Memory is accessed that was freed, or by a thread that the free is not ordered behind.",
         "Free only when no thread can hold the pointer any more: reference counts, hazard pointers, or a "
         "grace "
         "period."},
    rule{"double free", "double-free", "double free", "The same memory is freed twice.",
         "Let one owner free it; the decision who that is needs an atomic exchange."},
    rule{"abort", "abort", "abort",
         "The program calls abort(), or ends with another exit code than expected.",
         "Follow the steps to the call. --exit-code N says which code is expected."},
    rule{"uninitialised read", "uninitialised-read", "uninitialised read",
         "A read sees memory that no write has come to yet.",
         "Publish the memory after it was written, with release order."},
    rule{"leak", "leak", "leak", "A complete execution ends with memory that it has not freed.",
         "Free it on every way out, or leave --leaks away."},
    rule{"mixed size", "mixed-size", "accesses of different sizes",
         "An atomic location is accessed with different sizes, which the memory models do not define.",
         "Access it with one size, or keep the parts in atomics of their own."},
    rule{"nondeterminism", "nondeterminism", "nondeterminism",
         "The program depends on something that the checker does not control, such as an address or a time.",
         "Take it out, or fix it for the check."},
    rule{"limit", "limit", "limit", "An execution met a limit of the checker.",
         "Make the program smaller, or raise the limit."},
    rule{"unsupported", "unsupported", "unsupported",
         "The program does something that the checker does not support.",
         "The message names it; docs/limits.md says what to do instead."},
    rule{"unrefuted", "unrefuted", "no counterexample",
         "A broken twin is verified although a counterexample is expected.",
         "The test does not exercise what the twin breaks: let more items pass, or assert more."},
    rule{"uncovered", "uncovered", "situation not met",
         "No execution met a situation that the scenario requires.",
         "Enlarge the scenario until the situation occurs, or do not require it."},
    rule{"nothing shown", "nothing-shown", "nothing shown",
         "No execution was complete, so nothing was checked.", "Look for what every execution waits for."},
    rule{"inconclusive", "inconclusive", "inconclusive",
         "A bound or a budget ended the search. Nothing is refuted, and not everything was looked at.",
         "Give it more time, bound its loops (--rounds), or make the program smaller. The message says which "
         "bound."},
    rule{"error", "error", "error", "It could not be checked.", "The message and the log say why."},
    rule{"litmus", "litmus", "outcome that the model does not allow",
         "A litmus test shows what the model forbids, or not what it expects.",
         "Compare the histogram with the model's states."},
    rule{"other", "other", "finding", "The result is not as expected.", "The message says what was found."},
};

} // namespace

const rule& rule_of(std::string_view kind) {
    const auto* const found =
        std::find_if(rules.begin(), rules.end(), [&](const rule& r) { return r.kind == kind; });
    return found == rules.end() ? rules.back() : *found;
}

std::span<const rule> all_rules() { return rules; }

} // namespace ringproof::report
