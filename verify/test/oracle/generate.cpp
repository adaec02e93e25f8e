// SPDX-License-Identifier: Apache-2.0
#include "generate.hpp"

#include <algorithm> // std::min

namespace ringproof::verify::oracle {
namespace {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). The standard's distributions differ between libraries.
class random_numbers {
  public:
    explicit random_numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15U);
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31);
    }
    int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
    bool percent(int chance) { return below(100) < chance; }

  private:
    std::uint64_t state_;
};

using statement = std::vector<operation>; ///< stays together: a critical section, a flag and its data

class generator {
  public:
    generator(const profile& how, std::uint64_t seed) : how_(how), random_(seed) {}

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
        return made;
    }

  private:
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
