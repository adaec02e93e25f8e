// SPDX-License-Identifier: Apache-2.0
// Loops whose rounds leave something behind: dead values, stores to a node of their own. And loops that look
// the same, but of which somebody can tell how many rounds they took.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace programs {

namespace {

using enum std::memory_order;

struct node {
    std::atomic<node*> next{nullptr};
    node* plain_next = nullptr;
    int value = 0;
};

node nodes[3];
std::atomic<node*> top;
std::atomic<int> count, other;
int data;

/// What is stored before each attempt, and how.
enum class link { atomic, plain };

template <link Link>
void push(node& n, int value, std::memory_order order = release) {
    n.value = value;
    for (;;) {
        node* old = top.load(acquire);
        if constexpr (Link == link::atomic)
            n.next.store(old, relaxed);
        else
            n.plain_next = old;
        if (top.compare_exchange_strong(old, &n, order, relaxed)) return;
    }
}

template <link Link>
void push_three() {
    together([] { push<Link>(nodes[0], 1); }, [] { push<Link>(nodes[1], 2); },
             [] { push<Link>(nodes[2], 3); });
    int order = 0;
    for (node* n = top.load(relaxed); n; n = Link == link::atomic ? n->next.load(relaxed) : n->plain_next)
        order = order * 10 + n->value;
    seen_by[0] = order;
}

int place(const node* n) { return n ? static_cast<int>(n - nodes) + 1 : 0; }

} // namespace

void pushes_own_nodes() { push_three<link::atomic>(); }
void pushes_own_plain_nodes() { push_three<link::plain>(); }

/// Three add to a counter, each by a compare-exchange that carries on what it saw.
void adds_by_exchange() {
    const auto add = [] {
        int seen = count.load(relaxed);
        do {
            while (other.load(relaxed) != 0) {
            }
        } while (!count.compare_exchange_strong(seen, seen + 1, relaxed));
    };
    together(add, add, add);
    seen_by[0] = count.load(relaxed);
}

/// The same by weak ones that look again after a failure, and have failed for no reason.
void adds_by_weak_exchange() {
    const auto add = [] {
        int seen = count.load(relaxed);
        while (!count.compare_exchange_weak(seen, seen + 1, relaxed)) seen = count.load(relaxed);
    };
    together(add, add, add);
    seen_by[0] = count.load(relaxed);
}

/// The same, but each says how many rounds it took.
void adds_and_counts_rounds() {
    const auto add = [](int who) {
        int rounds = 0;
        int seen = count.load(relaxed);
        while (!count.compare_exchange_strong(seen, seen + 1, relaxed)) ++rounds;
        seen_by[who] = rounds;
    };
    together([=] { add(0); }, [=] { add(1); }, [=] { add(2); });
}

/// The same, but each gives up in its third round.
void adds_and_gives_up() {
    const auto add = [](int who) {
        int rounds = 0;
        for (int seen = count.load(relaxed); !count.compare_exchange_strong(seen, seen + 1, relaxed);)
            if (++rounds == 2) return;
        seen_by[who] = 1;
    };
    together([=] { add(0); }, [=] { add(1); }, [=] { add(2); });
}

/// The same, but every other round goes another way.
void adds_by_turns() {
    const auto add = [](int who) {
        bool odd = false;
        for (;;) {
            int seen = count.load(relaxed);
            if (count.compare_exchange_strong(seen, seen + (odd ? 10 : 1), relaxed)) break;
            odd = !odd;
        }
        seen_by[who] = odd;
    };
    together([=] { add(0); }, [=] { add(1); }, [=] { add(2); });
}

/// A push that looks at what its last round stored before it stores again, in an atomic or in plain memory.
void pushes_and_remembers() {
    const auto push_one = [](int who) {
        node& n = nodes[who];
        for (;;) {
            seen_by[who] += 1 + place(n.next.load(relaxed)) * 10;
            node* old = top.load(acquire);
            n.next.store(old, relaxed);
            if (top.compare_exchange_strong(old, &n, release, relaxed)) return;
        }
    };
    together([=] { push_one(0); }, [=] { push_one(1); }, [=] { push_one(2); });
}
void pushes_and_remembers_plainly() {
    const auto push_one = [](int who) {
        node& n = nodes[who];
        for (;;) {
            node* old = top.load(acquire);
            if (n.plain_next) n.value = place(n.plain_next); // of the round before
            n.plain_next = old;
            if (top.compare_exchange_strong(old, &n, release, relaxed)) break;
        }
        seen_by[who] = n.value;
    };
    together([=] { push_one(0); }, [=] { push_one(1); }, [=] { push_one(2); });
}

/// Another thread looks into the node, which everybody knows.
void pushes_while_watched() {
    together([] { push<link::atomic>(nodes[0], 1); }, [] { push<link::atomic>(nodes[1], 2); },
             [] {
                 seen_by[0] = place(nodes[0].next.load(relaxed));
                 seen_by[1] = place(nodes[1].next.load(relaxed));
             });
}

/// A node that is published with nothing ordered: who finds it may see what an earlier round stored.
void pushes_without_order() {
    together([] { push<link::atomic>(nodes[0], 1, relaxed); },
             [] {
                 push<link::atomic>(nodes[1], 2, relaxed);
                 push<link::atomic>(nodes[2], 3, relaxed);
             },
             [] {
                 if (const node* n = top.load(relaxed)) {
                     seen_by[0] = place(n);
                     seen_by[1] = place(n->next.load(relaxed));
                 }
             });
}

/// The first look orders, a failed exchange does not: what it saw may not be used like the first.
void fails_with_less_order() {
    together(
        [] {
            data = 1;
            count.store(1, release);
        },
        [] {
            int seen = count.load(acquire);
            while (!count.compare_exchange_strong(seen, seen + 10, relaxed, relaxed)) {
            }
            static_cast<void>(other.load(relaxed));
            if (seen == 1) seen_by[0] = data;
        });
}

/// Waits by two reads for what nobody writes.
void waits_by_two_reads_for_ever() {
    together(
        [] {
            while (count.load(acquire) == 0)
                if (other.load(relaxed) == 2) return;
        },
        [] { other.store(1, relaxed); });
}

} // namespace programs
