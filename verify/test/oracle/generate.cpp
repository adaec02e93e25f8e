// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include "random_numbers.hpp"

#include <algorithm> // std::min

namespace ringproof::verify::oracle {
namespace {

using statement = std::vector<operation>; ///< stays together: a critical section, a flag and its data

class generator {
  public:
    generator(const profile& how, std::uint64_t seed) : how_(how), random_(seed + how.apart) {}

    program run() {
        program made;
        if (how_.handler_times > 0) interrupted_ = random_.below(how_.threads_least);
        const int threads = how_.threads_least + random_.below(how_.threads_most - how_.threads_least + 1);
        const int share = std::max(1, how_.operations_total / threads);
        for (thread_ = 0; thread_ < threads; ++thread_) {
            registers_ = 0;
            thread_code code;
            const int least = threads == 2 ? 2 : 1;
            const int wanted = least + random_.below(std::min(how_.operations_most, share + 1) - least + 1);
            while (code.size < wanted) {
                const int known = registers_; // a condition can only be on what was read before
                statement next = any_statement();
                if (how_.control && known > 0 && random_.percent(40)) next = skippable(next, known);
                if (code.size + static_cast<int>(next.size()) > max_operations ||
                    registers_ > max_registers - 3)
                    break;
                for (const operation& step : next) code.append(step);
            }
            made.append(code);
        }
        if (how_.handler_times > 0) add_handler(made);
        surround(made.within);
        return made;
    }

  private:
    void surround(surroundings& within) {
        const auto any_storage = [&] {
            return how_
                .storages[static_cast<std::size_t>(random_.below(static_cast<int>(how_.storages.size())))];
        };
        if (!how_.storages.empty()) {
            within.shared = any_storage();
            within.own = any_storage();
        }
        if (how_.sleeps) within.sleeps = random_.percent(50);
        static constexpr std::array<std::uint8_t, 6> widths{1, 2, 4, 8, 16, 0};
        if (how_.widths)
            for (std::uint8_t& width : within.width)
                width = widths[static_cast<std::size_t>(random_.below(widths.size()))];
    }

    /// Straight-line code, so that where the handler comes in can be written down (placements.hpp).
    void add_handler(program& made) {
        handler_code& handler = made.handler;
        handler.thread = thread_ = interrupted_;
        handler.times = how_.handler_times;
        handler.depth = 1 + random_.below(how_.handler_times);
        registers_ = 0;
        const int wanted = 1 + random_.below(handler.times == 1 ? 3 : 2);
        while (handler.code.size < wanted) {
            if (how_.data && random_.percent(45)) {
                const int datum = random_.percent(50) ? max_data - 1 : random_.below(how_.locations);
                handler.code.append(random_.percent(50) ? write::plain_store(datum, random_.below(3))
                                                        : write::plain_load(datum));
                continue;
            }
            const int known = registers_;
            const operation next = any_operation();
            if (next.kind == operation_kind::await || registers_ > 2)
                registers_ = known;
            else
                handler.code.append(next);
        }
    }

    statement any_statement() {
        if (how_.handler_times > 0 && how_.data && random_.percent(40)) {
            const int datum = random_.percent(30) ? max_data - 1 : thread_ % how_.locations;
            if (random_.percent(50)) return {write::plain_store(datum, random_.below(3))};
            return {write::plain_load(datum, fresh_register())};
        }
        if (how_.counted && rounds_left_ > 0 && random_.percent(45)) return wait_for_a_while();
        if (how_.bytes > 0 && random_.percent(how_.bytes))
            return random_.percent(50) ? publish_bytes() : consume_bytes();
        if (how_.own > 0 && random_.percent(how_.own)) return own_word();
        if (thread_ == interrupted_ && how_.data)
            return random_.percent(60) ? publish() : statement{any_operation()};
        if (how_.data && random_.percent(60)) return random_.percent(50) ? publish() : consume();
        if (how_.mutex && random_.percent(60)) return critical_section();
        return {any_operation()};
    }

    // One draw a line: the order in which a call's arguments are evaluated differs between compilers.
    operation any_operation() {
        const int location = random_.below(how_.locations);
        if (how_.fences && random_.percent(20)) return write::fence(fence_order());
        const operand value = some_value();
        const std::memory_order reading = read_order();
        if (how_.awaits && random_.percent(25)) {
            const comparison until = random_.percent(60) ? comparison::not_equal : comparison::equal;
            const int wanted = random_.below(2);
            return write::await(location, until, wanted, reading, fresh_register());
        }
        if (how_.rmw && random_.percent(45)) {
            const std::memory_order order = rmw_order();
            const int which = random_.below(3);
            if (which == 0) return write::fetch_add(location, 1, order, fresh_register());
            if (which == 1) return write::exchange(location, value, order, fresh_register());
            const int expected = random_.below(2);
            return write::cas(location, expected, value, order, reading, fresh_register());
        }
        if (random_.percent(50)) return write::load(location, reading, fresh_register());
        return write::store(location, value, write_order());
    }

    // Each thread owns one flag and one datum; who sees the flag raised may read the datum.
    statement publish() {
        const int mine = thread_ % how_.locations;
        const operand value = some_value();
        const std::memory_order order = random_.percent(85) ? std::memory_order_release : write_order();
        return {write::plain_store(mine, value), write::store(mine, 1, order)};
    }

    statement consume() {
        const int theirs = (thread_ + 1) % how_.locations;
        const std::memory_order order = random_.percent(85) ? std::memory_order_acquire : read_order();
        const int seen = fresh_register();
        const int got = fresh_register();
        if (how_.awaits && random_.percent(50))
            return {write::await(theirs, 1, order, seen), write::plain_load(theirs, got)};
        return {write::load(theirs, order, seen), write::skip_if(seen, comparison::not_equal, 1, 1),
                write::plain_load(theirs, got)};
    }

    /// Gives up after some rounds, and then takes a slow path, or does not care.
    statement wait_for_a_while() {
        const int location = random_.below(how_.locations);
        const comparison until = random_.percent(65) ? comparison::not_equal : comparison::equal;
        const int wanted = until == comparison::equal ? random_.below(3) : 0;
        const int rounds = 1 + random_.below(rounds_left_);
        rounds_left_ -= rounds;
        const std::memory_order order = read_order();
        const int seen = fresh_register();
        statement made{write::counted_wait(location, until, wanted, rounds, order, seen)};
        if (random_.percent(30)) return made;
        statement slow{any_operation()};
        if (random_.percent(30)) slow.push_back(any_operation());
        made.push_back(write::skip_if(seen, until, wanted, static_cast<int>(slow.size())));
        made.insert(made.end(), slow.begin(), slow.end());
        return made;
    }

    // Each thread owns four bytes of the window, and of what it does some goes beyond them.
    struct piece {
        int first, size;
    };
    piece some_bytes(int owner) {
        static constexpr std::array<int, 10> sizes{1, 1, 1, 2, 2, 4, 4, 8, 3, 5};
        const int size = sizes[static_cast<std::size_t>(random_.below(sizes.size()))];
        const int begin = owner % (window_bytes / 4) * 4 + random_.below(4);
        const int first = random_.percent(75) && size <= 4 ? begin / 4 * 4 + random_.below(5 - size) : begin;
        return {std::min(first, window_bytes - size), size};
    }

    statement publish_bytes() {
        statement made;
        for (int n = 1 + random_.below(2); n > 0; --n) {
            const piece some = some_bytes(thread_);
            const int value = 1 + random_.below(2);
            made.push_back(write::bytes_store(some.first, some.size, value));
        }
        const std::memory_order order = random_.percent(85) ? std::memory_order_release : write_order();
        made.push_back(write::store(thread_ % how_.locations, 1, order));
        return made;
    }

    statement consume_bytes() {
        const int owner = thread_ + 1;
        const std::memory_order order = random_.percent(85) ? std::memory_order_acquire : read_order();
        const int seen = fresh_register();
        const piece some = some_bytes(owner % how_.locations);
        operation access = write::bytes_load(some.first, some.size);
        if (random_.percent(70))
            access.target = fresh_register();
        else
            access = write::bytes_store(some.first, some.size, 3);
        if (how_.awaits && random_.percent(50))
            return {write::await(owner % how_.locations, 1, order, seen), access};
        return {write::load(owner % how_.locations, order, seen),
                write::skip_if(seen, comparison::not_equal, 1, 1), access};
    }

    /// What was there before is looked at, or what is left of what is stored now.
    statement own_word() {
        if (random_.percent(40)) return {write::own_load(fresh_register())};
        statement made{write::own_store(1 + random_.below(2))};
        if (random_.percent(50)) made.push_back(write::renew());
        if (random_.percent(70)) made.push_back(write::own_load(fresh_register()));
        return made;
    }

    statement critical_section() {
        const int mutex = random_.percent(80) ? 0 : 1;
        statement made{write::lock(mutex)};
        const int datum = max_data - 1 - mutex; // apart from the published data
        if (random_.percent(70)) {
            const int old = fresh_register();
            made.push_back(write::plain_load(datum, old));
            made.push_back(write::plain_store(datum, write::reg(old) + 1));
        } else {
            made.push_back(any_operation());
        }
        made.push_back(write::unlock(mutex));
        return made;
    }

    statement skippable(const statement& body, int known) {
        static constexpr std::array<comparison, 3> ways{comparison::equal, comparison::not_equal,
                                                        comparison::greater};
        const int subject = random_.below(known);
        const comparison way = ways[static_cast<std::size_t>(random_.below(3))];
        const int limit = random_.below(2);
        statement made{write::skip_if(subject, way, limit, static_cast<int>(body.size()))};
        made.insert(made.end(), body.begin(), body.end());
        return made;
    }

    operand some_value() {
        if (registers_ > 0 && random_.percent(25)) {
            const int base = random_.below(registers_);
            return write::reg(base) + random_.below(2);
        }
        return random_.below(3); // 0 too: a store of the initial value is a write of its own
    }

    int fresh_register() { return registers_++; }

    std::memory_order read_order() {
        if (how_.seq_cst && random_.percent(40)) return std::memory_order_seq_cst;
        if (how_.acquire_release && random_.percent(50)) return std::memory_order_acquire;
        return std::memory_order_relaxed;
    }
    std::memory_order write_order() {
        if (how_.seq_cst && random_.percent(40)) return std::memory_order_seq_cst;
        if (how_.acquire_release && random_.percent(50)) return std::memory_order_release;
        return std::memory_order_relaxed;
    }
    std::memory_order rmw_order() {
        if (how_.seq_cst && random_.percent(30)) return std::memory_order_seq_cst;
        if (!how_.acquire_release) return std::memory_order_relaxed;
        static constexpr std::array<std::memory_order, 4> orders{
            std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_release,
            std::memory_order_acq_rel};
        return orders[static_cast<std::size_t>(random_.below(4))];
    }
    std::memory_order fence_order() {
        if (how_.seq_cst && random_.percent(50)) return std::memory_order_seq_cst;
        static constexpr std::array<std::memory_order, 3> orders{
            std::memory_order_acquire, std::memory_order_release, std::memory_order_acq_rel};
        return orders[static_cast<std::size_t>(random_.below(3))];
    }

    const profile& how_;
    random_numbers random_;
    int thread_ = 0;
    int interrupted_ = -1; ///< the thread that has the handler
    int registers_ = 0;
    int rounds_left_ = 4; ///< of counted waits: each is a read more
};

std::vector<profile> make_profiles() {
    profile base;
    base.name = "plain";
    std::vector<profile> all{base};
    const auto add = [&](std::string_view name, auto change) {
        profile made = base;
        made.name = name;
        change(made);
        all.push_back(made);
    };
    add("orders", [](profile& p) { p.acquire_release = p.fences = true; });
    add("seq-cst", [](profile& p) { p.acquire_release = p.seq_cst = p.fences = true; });
    add("four-threads", [](profile& p) {
        p.threads_least = p.threads_most = 4;
        p.operations_total = 7;
        p.acquire_release = p.seq_cst = true;
        p.operations_most = 3;
    });
    add("rmw", [](profile& p) { p.acquire_release = p.seq_cst = p.rmw = true; });
    add("awaits", [](profile& p) { p.acquire_release = p.awaits = true; });
    add("data", [](profile& p) {
        p.acquire_release = p.data = true;
        p.operations_most = 6;
        p.operations_total = 15; // data adds no choice
    });
    add("mutex", [](profile& p) {
        p.acquire_release = p.mutex = true;
        p.operations_most = 7;
        p.operations_total = 17; // three to four operations a critical section
    });
    add("control", [](profile& p) { p.acquire_release = p.control = p.rmw = true; });
    add("everything", [](profile& p) {
        p.operations_most = 7;
        p.operations_total = 15;
        p.acquire_release = p.seq_cst = p.fences = p.rmw = p.awaits = p.data = p.mutex = p.control = true;
    });
    add("interrupt", [](profile& p) {
        p.acquire_release = p.seq_cst = p.fences = p.rmw = true;
        p.handler_times = 1;
        p.operations_total = 7;
    });
    add("interrupt-awaits", [](profile& p) {
        p.acquire_release = p.awaits = true;
        p.handler_times = 1;
        p.operations_total = 7;
    });
    add("interrupt-data", [](profile& p) {
        p.acquire_release = p.fences = p.data = true;
        p.handler_times = 1;
        p.operations_total = 7;
    });
    add("interrupts", [](profile& p) {
        p.acquire_release = p.rmw = true;
        p.handler_times = 2;
        p.operations_total = 5;
        p.threads_most = 2;
    });
    add("interrupts-data", [](profile& p) {
        p.acquire_release = p.data = true;
        p.handler_times = 2;
        p.operations_total = 5;
        p.threads_most = 2;
    });
    const auto add_users = [&](std::string_view name, auto change) {
        add(name, [&](profile& p) {
            p.group = "users";
            p.acquire_release = true;
            p.apart = all.size() << 32;
            change(p);
        });
    };
    add_users("counted", [](profile& p) {
        p.counted = p.sleeps = true;
        p.operations_total = 6;
    });
    add_users("counted-orders", [](profile& p) {
        p.counted = p.sleeps = p.seq_cst = p.fences = p.rmw = true;
        p.operations_total = 6;
    });
    add_users("bytes", [](profile& p) {
        p.bytes = 70;
        p.awaits = true;
        p.locations = 3;
        p.operations_most = 8;
        p.operations_total = 20;
    });
    add_users("widths", [](profile& p) { p.widths = p.seq_cst = p.rmw = p.awaits = true; });
    const auto stored = [&](std::string_view name, std::vector<storage> where) {
        add_users(name, [&](profile& p) {
            p.storages = std::move(where);
            p.data = p.rmw = p.control = true;
            p.bytes = 20;
            p.own = 30;
            p.operations_most = 7;
            p.operations_total = 18;
        });
    };
    stored("heap", {storage::heap});
    stored("mapped", {storage::mapped});
    stored("thread-local", {storage::thread_variable});
    add_users("together", [](profile& p) {
        p.storages = {storage::stack, storage::heap, storage::mapped, storage::thread_variable};
        p.counted = p.sleeps = p.widths = true;
        p.fences = p.rmw = p.awaits = p.data = p.mutex = p.control = true;
        p.bytes = p.own = 15;
        p.operations_most = 7;
        p.operations_total = 17;
    });
    return all;
}

} // namespace

const std::vector<profile>& profiles() {
    static const std::vector<profile> all = make_profiles();
    return all;
}

const profile& profile_named(std::string_view name) {
    for (const profile& one : profiles())
        if (one.name == name) return one;
    throw std::out_of_range("oracle: no profile named " + std::string(name));
}

program generate(const profile& how, std::uint64_t seed) { return generator(how, seed).run(); }

} // namespace ringproof::verify::oracle
