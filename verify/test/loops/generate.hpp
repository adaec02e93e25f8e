// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small programs with the loops that people write, and with loops that nobody writes: the same for the same
// kind and seed everywhere, in the compiler too, which makes machine code of some of them (compiled.hpp).
//
// Whatever a loop does, its threads have finitely many states (counts are bounded, all else is copied), and
// each round reads something that is shared.

#include "users.hpp"

namespace ringproof::verify::loops {

class generator : users {
  public:
    constexpr generator(kind what, std::uint64_t seed) : users(what, seed) {}

    constexpr program make() {
        strong_ = choose_.chance(30);
        proper_ = choose_.chance(40);
        made_.size = choose_.chance(75) ? 2 : 3;
        made_.private_memory = static_cast<placement>(choose_.below(3));
        x_ = choose_.below(2);
        made_.uses_cells = kind_ == kind::nodes;
        if (is_of_users()) surround();
        const int first = choose_.below(2);
        const int waiting = made_.size == 2 && choose_.chance(60) ? 1 : 2;
        for (int t = 0; t < made_.size; ++t) {
            writer w;
            const bool waits = (t + first) % made_.size < waiting;
            if (kind_ == kind::nodes) w.cell_store(0);
            if (waits)
                statement(w, t);
            else
                peer(w, t);
            if (kind_ != kind::nodes && w.size() < 4 && choose_.chance(30)) straight(w);
            made_.threads[static_cast<std::size_t>(t)] = w.done();
        }
        return made_;
    }

  private:
    constexpr void peer(writer& w, int thread) {
        if (kind_ == kind::nodes) return pop(w, thread);
        if (is_of_users() && choose_.chance(60)) return other_of_users(w);
        if (kind_ == kind::seqlock && choose_.chance(80)) return write_pair(w);
        if (kind_ == kind::take_back && choose_.chance(60)) {
            const int change = choose_.chance(70) ? 1 : 2;
            w.add(no_register, x_, change, change_order());
            if (choose_.chance(60)) straight(w);
            if (choose_.chance(50)) w.load(4, x_, load_order()).report(4); // who can tell
            if (choose_.chance(80)) w.add(no_register, x_, -change, change_order());
            return;
        }
        if ((kind_ == kind::lock || kind_ == kind::ticket) && choose_.chance(50)) return statement(w, thread);
        for (int n = 1 + choose_.below(2); n > 0; --n) straight(w);
        if (choose_.chance(70)) store(w, x_, value());
    }

    constexpr void statement(writer& w, int thread) {
        switch (kind_) {
        case kind::spin:
            return spin(w);
        case kind::exits:
            return exits(w);
        case kind::push:
        case kind::nodes:
            return push(w, thread);
        case kind::take_back:
            return take_back(w);
        case kind::lock:
            return lock(w);
        case kind::ticket:
            return ticket(w);
        case kind::seqlock:
            return read_pair(w);
        case kind::gives_up:
            return gives_up(w);
        case kind::remembers:
            return remembers(w);
        case kind::any:
            return any(w);
        case kind::printed:
            return printed(w, thread);
        default:
            return statement_of_users(w);
        }
    }

    /// One of the loops that write private memory, and what is in it behind the loop.
    constexpr void printed(writer& w, int thread) {
        switch (choose_.below(5)) {
        case 0:
            spin(w);
            break;
        case 1:
            push(w, thread);
            break;
        case 2:
            gives_up(w);
            break;
        case 3:
            remembers(w);
            break;
        default:
            any(w);
        }
        if (choose_.chance(50)) store(w, other(), value());
        w.get(5, 0).report(5);
    }

    constexpr void spin(writer& w) {
        const int x = choose_.chance(80) ? x_ : other();
        const bool puts = choose_.chance(20) || made_.prints;
        w.loop();
        if (puts) w.put(0, value());
        awaited(w.load(0, x, load_order()));
        if (choose_.chance(20)) w.fence(strong_ ? mo::seq_cst : mo::acquire);
        maybe_yield(w);
        w.end();
        maybe_report(w, 0);
        straight(w);
    }

    constexpr void exits(writer& w) {
        const bool fails = choose_.chance(40);
        w.loop().load(0, x_, load_order()).break_if(reg(0), comparison::not_equal, 0);
        w.load(1, other(), load_order());
        if (fails) {
            when(w, reg(1), value());
            w.fail().end();
        } else
            leave(w, reg(1));
        if (choose_.chance(30)) w.load(2, x_, load_order()).break_if(reg(2), comparison::equal, reg(1));
        maybe_yield(w);
        w.end();
        maybe_report(w, 0);
        maybe_report(w, 1);
    }

    constexpr void push(writer& w, int thread) {
        const bool nodes = kind_ == kind::nodes, reloads = choose_.chance(50);
        const bool puts = choose_.chance(40), gets = puts && choose_.chance(40);
        const bool full = !nodes && choose_.chance(25), yields = choose_.chance(25);
        const operand next = nodes ? operand(thread + 1) : choose_.chance(80) ? reg(0, 1) : operand(value());
        if (!reloads) w.load(0, x_, choose_.chance(50) && !strong_ ? mo::relaxed : load_order());
        w.loop();
        if (reloads) w.load(0, x_, load_order());
        if (full) w.break_if(reg(0), comparison::greater, choose_.below(2));
        if (nodes) w.cell_store(reg(0));
        if (gets) w.get(2, 0).break_if(reg(2), comparison::equal, value());
        if (puts) w.put(0, choose_.chance(70) ? reg(0) : operand(value()));
        const mo order = nodes && !strong_ ? mo::acq_rel : change_order();
        w.compare(1, x_, 0, next, order, failure_order(order));
        w.break_if(reg(1), comparison::equal, 1);
        if (yields && !gets) w.yield();
        w.end();
        maybe_report(w, 0);
        if (full || gets) w.report(1);
    }

    constexpr void pop(writer& w, int thread) {
        if (choose_.chance(30)) return push(w, thread);
        const bool waits = choose_.chance(40);
        w.loop().load(0, x_, strong_ ? mo::seq_cst : choose_.chance(90) ? mo::acquire : mo::relaxed);
        if (waits)
            w.when(reg(0), comparison::greater, 0);
        else
            w.break_if(reg(0), comparison::equal, 0);
        const mo order = taking_order();
        w.cell_load(2, reg(0, -1)).compare(1, x_, 0, reg(2), order, failure_order(order));
        w.break_if(reg(1), comparison::equal, 1);
        if (waits) w.end();
        maybe_yield(w);
        w.end().report(0);
        maybe_report(w, 2);
    }

    constexpr void critical(writer& w) {
        w.load(3, other(), strong_ ? mo::seq_cst : mo::relaxed);
        w.store(other(), reg(3, 1), strong_ ? mo::seq_cst : mo::relaxed);
    }

    constexpr void take_back(writer& w) {
        const int change = choose_.chance(70) ? 1 : 2, room = 1 + choose_.below(2);
        const bool looks = choose_.chance(50);
        w.loop().add(0, x_, change, taking_order()).break_if(reg(0), comparison::less, room);
        w.add(no_register, x_, -change, strong_ ? mo::seq_cst : mo::relaxed);
        if (looks) w.loop().load(1, x_, load_order()).break_if(reg(1), comparison::less, room).end();
        maybe_yield(w);
        w.end();
        if (choose_.chance(60))
            critical(w);
        else
            straight(w);
        if (choose_.chance(80)) w.add(no_register, x_, -change, store_order());
        maybe_report(w, 0);
    }

    constexpr void lock(writer& w) {
        const int how = choose_.below(3);
        const bool gives_up = choose_.chance(20);
        w.loop();
        if (how == 0) {
            w.exchange(0, x_, 1, taking_order()).break_if(reg(0), comparison::equal, 0);
        } else if (how == 1) {
            w.set(1, 0).compare(0, x_, 1, 1, taking_order(), strong_ ? mo::seq_cst : mo::relaxed);
            w.break_if(reg(0), comparison::equal, 1);
        } else {
            w.load(0, x_, strong_ ? mo::seq_cst : mo::relaxed).when(reg(0), comparison::equal, 0);
            w.exchange(0, x_, 1, taking_order()).break_if(reg(0), comparison::equal, 0).end();
        }
        if (gives_up)
            w.set(2, reg(2, 1)).break_if(reg(2), comparison::greater, 1).report(2).report(0);
        else
            maybe_yield(w);
        w.end();
        critical(w);
        if (choose_.chance(90)) w.store(x_, 0, store_order());
        maybe_report(w, 3);
    }

    constexpr void ticket(writer& w) {
        w.add(0, 2, 1, strong_ ? mo::seq_cst : mo::relaxed);
        w.loop().load(1, x_, load_order()).break_if(reg(1), comparison::equal, reg(0));
        maybe_yield(w);
        w.end();
        critical(w);
        if (choose_.chance(90)) w.store(x_, reg(0, 1), store_order());
        maybe_report(w, 0);
        maybe_report(w, 3);
    }

    constexpr void write_pair(writer& w) {
        const mo fenced = strong_ ? mo::seq_cst : mo::release, plain = strong_ ? mo::seq_cst : mo::relaxed;
        w.store(2, 1, plain);
        if (choose_.chance(70)) w.fence(fenced);
        w.store(0, 1, plain);
        if (choose_.chance(70)) w.store(1, 1, plain);
        if (choose_.chance(90)) w.store(2, 2, store_order());
    }

    constexpr void read_pair(writer& w) {
        const mo plain = strong_ ? mo::seq_cst : mo::relaxed;
        const bool waits = choose_.chance(50);
        w.loop().load(0, 2, load_order());
        if (waits) w.when(reg(0), comparison::not_equal, 1);
        w.load(2, 0, plain).load(3, 1, plain);
        if (choose_.chance(70)) w.fence(strong_ ? mo::seq_cst : mo::acquire);
        w.load(1, 2, plain).break_if(reg(0), comparison::equal, reg(1));
        if (waits) w.end();
        maybe_yield(w);
        w.end().report(2).report(3);
        maybe_report(w, 1);
    }

    constexpr void gives_up(writer& w) {
        const int rounds = 2 + choose_.below(2);
        const bool in_memory = choose_.chance(50), forgets = in_memory && choose_.chance(60);
        const bool tells = choose_.chance(25), compares = choose_.chance(25);
        w.loop();
        if (compares)
            compare(w, 1, x_, 0, reg(0, 1)).break_if(reg(1), comparison::equal, 1);
        else
            leave(w.load(0, x_, load_order()), reg(0));
        if (in_memory) w.get(2, 1);
        w.set(2, reg(2, 1));
        if (in_memory) w.put(1, reg(2));
        if (tells) w.store(other(), reg(2), store_order());
        w.break_if(reg(2), comparison::equal, rounds);
        if (forgets) w.set(2, 0); // so that memory alone knows
        w.end().report(0);
        maybe_report(w, 2);
    }

    constexpr void remembers(writer& w) {
        const bool in_memory = choose_.chance(50), fails = choose_.chance(20), old = choose_.chance(30);
        const int then = choose_.below(3), now = choose_.below(3);
        w.loop();
        if (in_memory && !old) w.get(1, 0);
        w.load(0, x_, load_order());
        if (in_memory && old) w.get(1, 0);
        w.when(reg(1), comparison::equal, then);
        if (fails)
            w.when(reg(0), comparison::equal, now).fail().end();
        else
            w.break_if(reg(0), comparison::equal, now);
        w.end();
        if (choose_.chance(70)) w.break_if(reg(0), comparison::equal, value());
        if (in_memory)
            w.put(0, reg(0));
        else
            w.set(1, reg(0));
        w.end().report(0);
    }

    constexpr operand something() {
        return choose_.chance(50) ? operand(choose_.below(3)) : reg(choose_.below(4));
    }

    constexpr void anything(writer& w, bool in_condition) {
        const int r = choose_.below(3), x = choose_.chance(60) ? x_ : other();
        switch (choose_.below(in_condition ? 9 : 8)) {
        case 0:
        case 1:
            w.load(r, x, load_order());
            break;
        case 2:
            compare(w, 3, x, r, something());
            break;
        case 3: {
            const int cell = choose_.below(private_cells);
            w.put(cell, something());
        } break;
        case 4:
            w.get(r, choose_.below(private_cells));
            break;
        case 5:
            w.set(r, something());
            break;
        case 6:
        case 7:
            leave(w, reg(r), something());
            break;
        default:
            if (choose_.chance(40))
                w.fail();
            else
                store(w, x, choose_.below(3));
        }
    }

    constexpr void any(writer& w) {
        const bool counts = choose_.chance(40);
        if (choose_.chance(30)) w.load(1, x_, load_order());
        w.loop().load(0, x_, load_order());
        for (int n = 1 + choose_.below(4); n > 0; --n) {
            if (choose_.chance(25)) {
                const int left = choose_.below(4);
                when(w, reg(left), something());
                anything(w, true);
                w.end();
            } else {
                anything(w, false);
            }
        }
        if (choose_.chance(80)) leave(w, reg(choose_.below(2)));
        if (counts) w.set(5, reg(5, 1)).break_if(reg(5), comparison::greater, 1);
        w.end();
        maybe_report(w, 0);
        maybe_report(w, choose_.below(4));
    }
};

constexpr program generate(kind what, std::uint64_t seed) { return generator(what, seed).make(); }

} // namespace ringproof::verify::loops
