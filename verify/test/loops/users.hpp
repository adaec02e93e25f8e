// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops around what programs of users do beside atomics: they count yields and sleeps, compute with floating-point
// numbers, change how those are rounded, obtain memory and give it back.

#include "statements.hpp"

namespace ringproof::verify::loops {

class users : protected statements {
  protected:
    constexpr users(kind what, std::uint64_t seed) : statements(what, seed) {}

    constexpr bool is_of_users() const { return kind_ >= first_of_users; }
    constexpr bool has_pages() const { return kind_ == kind::pages || kind_ == kind::mapped; }

    constexpr void surround() {
        constexpr placement places[] = {placement::heap, placement::own_stack, placement::others_stack,
                                        placement::thread_variable};
        made_.private_memory = places[choose_.below(4)];
        made_.prints = kind_ == kind::printed;
        if (kind_ != kind::mapped) return;
        made_.maps_pages = true;
        if (choose_.chance(50)) made_.private_memory = placement::mapped;
    }

    constexpr void statement_of_users(writer& w) {
        switch (kind_) {
        case kind::counted:
        case kind::told:
            return counted(w);
        case kind::rounding:
            return rounding(w);
        case kind::flags:
            return flags(w);
        case kind::numbers:
            return numbers(w);
        default:
            return pages(w);
        }
    }

    /// What a thread does that does not wait: of the same kind, so that one thread's can be taken for another's.
    constexpr void other_of_users(writer& w) {
        const int mode = choose_.below(4);
        if (kind_ == kind::rounding) w.get_rounding(4).report(4).set_rounding(mode);
        if (kind_ == kind::flags) w.get_flag(4).report(4);
        if (kind_ == kind::flags && choose_.chance(50)) w.divide();
        if (kind_ == kind::numbers) w.number_set(1 + mode);
        if (has_pages()) w.obtain().page_get(4, 0).report(4).page_put(0, mode);
        const bool stays = choose_.chance(50);
        store(w, x_, value());
        if (choose_.chance(40)) store(w, other(), value());
        if (kind_ == kind::rounding) w.get_rounding(5).report(5);
        if (kind_ == kind::flags) w.get_flag(5).report(5);
        if (kind_ == kind::numbers) w.number_get(5).report(5);
        if (has_pages()) w.page_get(5, 0).report(5);
        if (has_pages() && !stays) w.give_back();
    }

  private:
    constexpr void pause(writer& w, int how) {
        if (how == 0) w.yield();
        if (how == 1) w.sleep();
    }

    constexpr void counted(writer& w) {
        constexpr std::array<int, 6> most = {1, 2, 3, 4, 10, 40};
        const bool tells = kind_ == kind::told;
        const int rounds = most[static_cast<std::size_t>(choose_.below(tells ? 4 : 6))];
        const int how = choose_.below(2), place = choose_.below(3);
        const bool takes = choose_.chance(40), in_memory = choose_.chance(30);
        w.loop();
        if (place == 0) pause(w, how);
        if (takes)
            compare(w.set(1, 0), 0, x_, 1, 1).break_if(reg(0), comparison::equal, 1);
        else
            w.load(0, x_, load_order()).break_if(reg(0), comparison::not_equal, 0);
        if (place == 1) pause(w, how);
        if (in_memory) w.get(2, 0);
        w.set(2, reg(2, 1));
        if (in_memory) w.put(0, reg(2));
        w.break_if(reg(2), comparison::equal, rounds);
        if (place == 2) pause(w, how);
        w.end();
        if (tells && choose_.chance(50)) w.store(other(), reg(2), store_order());
        w.report(0);
        if (tells) w.report(2);
        w.when(reg(0), comparison::equal, 0);
        slow_path(w);
        w.end();
    }

    /// What follows when nothing came of it: what spins first and then parks, parks here.
    constexpr void slow_path(writer& w) {
        const int what = choose_.below(10);
        if (what < 3)
            store(w, other(), value());
        else if (what < 6)
            w.loop().load(3, x_, load_order()).break_if(reg(3), comparison::not_equal, 0).end().report(3);
        else if (what < 8)
            w.load(3, other(), load_order()).report(3);
        else if (what < 9)
            w.fail();
        else
            w.add(3, x_, 1, change_order()).report(3);
    }

    constexpr void rounding(writer& w) {
        const int mode = 1 + choose_.below(3), how = choose_.below(4);
        const bool yields = choose_.chance(20), before = choose_.chance(40);
        if (before) w.get_rounding(3).report(3);
        w.loop();
        leave(w.load(0, x_, load_order()), reg(0));
        switch (how) {
        case 0: // changed once
            w.get_rounding(1).break_if(reg(1), comparison::equal, mode).set_rounding(mode);
            break;
        case 1: // and what comes of it is all that is looked at
            w.number_set(1).number_get(1).break_if(reg(1), comparison::equal, 1).set_rounding(2);
            break;
        case 2: // from mode to mode
            w.get_rounding(1).break_if(reg(1), comparison::equal, mode).set_rounding(reg(1, 1));
            break;
        default: // changed and put back: a round without effect
            w.get_rounding(1).set_rounding(mode).number_set(reg(0, 1)).number_get(2).set_rounding(reg(1));
            w.break_if(reg(2), comparison::equal, 2).report(2);
        }
        if (yields && how == 3) w.yield();
        w.end().report(0).report(1);
        if (choose_.chance(40)) w.set_rounding(0);
        if (choose_.chance(40)) straight(w);
    }

    constexpr void flags(writer& w) {
        const int how = choose_.below(3), halves = 1 + choose_.below(2);
        const bool before = choose_.chance(40);
        if (before) w.get_flag(3).report(3);
        w.loop();
        leave(w.load(0, x_, load_order()), reg(0));
        switch (how) {
        case 0: // raised once
            w.get_flag(1).break_if(reg(1), comparison::equal, 1).divide();
            break;
        case 1: // by what is read, or not at all
            w.number_set(reg(0, halves)).number_get(2).get_flag(1).break_if(reg(1), comparison::equal, 1);
            break;
        default: // raised and cleared: a round without effect
            w.divide().get_flag(1).clear_flags().get_flag(2).report(2);
        }
        w.end().report(0).report(1);
        if (choose_.chance(40)) w.clear_flags();
        if (choose_.chance(40)) straight(w);
    }

    constexpr void numbers(writer& w) {
        const int how = choose_.below(3), most = 1 + choose_.below(3), mode = choose_.below(4);
        if (choose_.chance(30)) w.set_rounding(mode);
        w.loop().load(0, x_, load_order());
        if (how == 0) { // counts by halves
            leave(w, reg(0));
            w.number_add(1).number_get(1).break_if(reg(1), comparison::greater, most);
        } else if (how == 1) { // adds up what it reads
            w.number_add(reg(0)).number_get(1).break_if(reg(1), comparison::greater, most);
        } else { // waits for what is computed anew each time
            w.number_set(reg(0)).number_add(1).number_get(1).break_if(reg(1), comparison::greater, most - 1);
        }
        w.end().report(1);
        maybe_report(w, 0);
    }

    constexpr void pages(writer& w) {
        if (choose_.chance(30)) w.get(3, 0).report(3).put(0, 1); // 0 in every execution
        const int how = choose_.below(3), most = 2 + choose_.below(2);
        const bool counts = choose_.chance(70), gives = choose_.chance(60);
        if (how == 1) w.obtain();
        w.loop();
        if (how != 1) w.obtain().page_get(2, 1).page_put(1, 1); // 0 again each time
        w.load(0, x_, load_order());
        if (how == 0) w.page_put(0, reg(0)).page_get(1, 0).give_back();
        if (how == 1) w.page_get(1, 0).page_put(0, reg(1, 1)).break_if(reg(1), comparison::equal, most);
        if (how == 2) w.page_get(1, 0).page_put(0, reg(0)).give_back();
        leave(w, reg(0));
        if (how != 1 && counts) w.set(5, reg(5, 1)).break_if(reg(5), comparison::equal, most);
        w.end().report(0).report(1).report(2);
        if (how == 1 && gives) w.give_back();
    }
};

} // namespace ringproof::verify::loops
