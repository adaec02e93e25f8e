// SPDX-License-Identifier: Apache-2.0
#include "placements.hpp"

namespace ringproof::verify::oracle {
namespace {

struct placed {
    operation step;
    int depth, run; ///< run 0: the thread's own code
};

bool plain(const operation& o) {
    return o.kind == operation_kind::plain_load || o.kind == operation_kind::plain_store;
}
bool conflict(const operation& a, const operation& b) {
    return plain(a) && plain(b) && a.location == b.location &&
           (a.kind == operation_kind::plain_store || b.kind == operation_kind::plain_store);
}

/// Keeps plain accesses of its own run before it, as far as a compiler goes.
bool releases(const operation& o) {
    const bool writes = o.kind != operation_kind::load && o.kind != operation_kind::await && !plain(o);
    return writes && (o.order == std::memory_order_release || o.order == std::memory_order_acq_rel ||
                      o.order == std::memory_order_seq_cst);
}
/// Keeps them behind it.
bool acquires(const operation& o) {
    const bool reads = o.kind != operation_kind::store && !plain(o);
    return reads && (o.order == std::memory_order_acquire || o.order == std::memory_order_acq_rel ||
                     o.order == std::memory_order_seq_cst);
}

class placer {
  public:
    explicit placer(const program& what) : what_(what), code_(what.threads[index()]) {
        for (const thread_code* code : {&code_, &what_.handler.code})
            for (int at = 0; at < code->size; ++at)
                if ((*code)[at].kind == operation_kind::skip_if)
                    throw std::invalid_argument("oracle: a skip_if around an interrupt");
    }

    std::vector<placement> run() {
        go_on({{0, 0}}, 0);
        return std::move(found_);
    }

  private:
    struct context {
        int at; ///< its next operation
        int run;
    };

    std::size_t index() const { return static_cast<std::size_t>(what_.handler.thread); }
    const thread_code& code_of(const context& c) const { return c.run == 0 ? code_ : what_.handler.code; }

    /// Whether it makes a difference for a handler to come in before the next operation of `c`.
    bool is_place(const context& c, int depth) const {
        if (c.at == code_of(c).size) return depth == 0; // elsewhere: the same as just after it
        const operation& next = code_of(c)[c.at];
        if (!plain(next)) return depth == 0 || c.at > 0; // before the first one: the same as just before it
        if (depth > 0 && what_.handler.depth < 2) return false;
        for (int at = 0; at < what_.handler.code.size; ++at)
            if (conflict(next, what_.handler.code[at])) return true;
        return false;
    }

    void go_on(std::vector<context> stack, int runs) {
        context& now = stack.back();
        const int depth = static_cast<int>(stack.size()) - 1;
        if (runs < what_.handler.times && depth < what_.handler.depth) {
            std::vector<context> inside = stack;
            inside.push_back({0, runs + 1});
            const int again = is_place(now, depth) ? 0 : 1;
            again_ += again;
            go_on(std::move(inside), runs + 1);
            again_ -= again;
        }
        if (now.at == code_of(now).size) {
            if (depth == 0) return finish();
            stack.pop_back();
            return go_on(std::move(stack), runs);
        }
        placed next{code_of(now)[now.at++], depth, now.run};
        if (next.run > 0) {
            const int offset = handler_registers + 2 * (next.run - 1);
            if (next.step.target != no_register) next.step.target += offset;
            if (next.step.value.base != no_register) next.step.value.base += offset;
            if (next.step.expected.base != no_register) next.step.expected.base += offset;
        }
        so_far_.push_back(next);
        go_on(std::move(stack), runs);
        so_far_.pop_back();
    }

    /// Whether the compiler could bring `a` and the later `b` out of order. Runs that do not overlap are in order.
    bool unordered(std::size_t a, std::size_t b) const {
        const placed &first = so_far_[a], &second = so_far_[b];
        if (first.run == second.run || !conflict(first.step, second.step)) return false;
        const placed& outer = first.depth < second.depth ? first : second;
        if (first.depth == second.depth) return false;
        for (std::size_t i = a + 1; i < b; ++i) {
            if (so_far_[i].run != outer.run) continue;
            if (&outer == &first ? releases(so_far_[i].step) : acquires(so_far_[i].step)) return false;
        }
        return nested(a, b, outer);
    }

    /// Whether the deeper of the two ran inside the very run of the other.
    bool nested(std::size_t a, std::size_t b, const placed& outer) const {
        if (outer.run == 0) return true;
        // Between the two, nothing at a depth less than the outer's.
        for (std::size_t i = a; i <= b; ++i)
            if (so_far_[i].depth < outer.depth ||
                (so_far_[i].depth == outer.depth && so_far_[i].run != outer.run))
                return false;
        return true;
    }

    void finish() {
        placement made;
        made.what = what_;
        made.what.handler = {};
        thread_code code;
        for (const placed& p : so_far_) code.append(p.step);
        made.what.threads[index()] = code;
        for (std::size_t b = 0; b < so_far_.size(); ++b)
            for (std::size_t a = 0; a < b; ++a) made.race = made.race || unordered(a, b);
        made.again = again_ > 0;
        found_.push_back(made);
    }

    const program& what_;
    const thread_code code_;
    std::vector<placed> so_far_;
    int again_ = 0;
    std::vector<placement> found_;
};

} // namespace

std::vector<placement> placements(const program& what) {
    if (what.handler.thread < 0) return {{what, false}};
    return placer(what).run();
}

} // namespace ringproof::verify::oracle
