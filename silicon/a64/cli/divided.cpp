// SPDX-License-Identifier: Apache-2.0
// A search by one process or several. Each has parts of the tree to go through, and gives some away where another process
// may begin: of the parts that it has not begun, or else of the one that it is in.
#include "figures.hpp"
#include "passes.hpp"
#include "search.hpp"
#include "together.hpp"

#include <exception>
#include <stdexcept>
#include <unistd.h>

namespace ringproof::silicon::a64 {
namespace {

using command::json;
using parts = std::vector<tree_part>;

/// This is a new process, with these parts to go through.
struct begins {
    parts all;
};

class pass {
  public:
    pass(program& p, const search_order& order, const go_on& more, unsigned begun, const findings& before)
        : program_(p), order_(order), more_(more), begun_(begun), before_(before), left_(before.rest) {
        if (order.jobs > 1) all_.emplace(order.jobs);
    }

    /// @throws learnt
    findings run() {
        std::exception_ptr error;
        try {
            go();
        } catch (...) {
            error = std::current_exception();
            if (all_) all_->stop(together::reason::anew);
        }
        if (all_) gather(error);
        if (error) std::rethrow_exception(error);
        mine_.done += mine_done_;
        return std::move(mine_);
    }

  private:
    // ---- this process

    void go() {
        for (parts now;; left_ = std::move(now)) {
            try {
                search_parts();
                if (all_ && all_->is_worker()) all_->leave(json{{"found", figures_of(mine_)}}.dump());
                return;
            } catch (begins& b) {
                now = std::move(b.all);
                mine_ = {};
                mine_done_ = 0;
                now_ = nullptr;
            } catch (const learnt&) {
                if (!all_ || !all_->is_worker()) throw;
                all_->stop(together::reason::anew);
                all_->leave(
                    json{{"learnt", encode({program_.fingerprint(), program_.learnt_so_far(), {}})}}.dump());
            } catch (const std::exception& e) {
                if (!all_ || !all_->is_worker()) throw;
                all_->stop(together::reason::anew);
                all_->leave(json{{"refused", e.what()}}.dump());
            }
        }
    }
    void search_parts() {
        const std::function<void()> working = [this] { work(); };
        const std::function<std::uint64_t()> one_execution = [this] {
            return all_ ? all_->count_execution() : mine_.executions + 1;
        };
        while (!left_.empty()) {
            const tree_part part = std::move(left_.back());
            left_.pop_back();
            way_through_part by(part);
            now_ = &by;
            const bool whole = search_part(program_, order_, {by, working, one_execution}, mine_);
            now_ = nullptr;
            if (all_) all_->add_done(by.done());
            mine_done_ += by.done();
            if (whole) continue;
            if (all_ && mine_.limited) all_->stop(together::reason::executions);
            if (all_ && !mine_.failure.empty()) all_->stop(together::reason::failed);
            mine_.rest = std::move(left_);
            mine_.rest.push_back(by.rest());
            return;
        }
    }
    /// Is called often.
    void work() {
        if (all_) {
            constexpr std::uint32_t often = 1024;
            if (++looks_ % often == 0 && !all_->led()) _exit(1);
            if (all_->stopped() != together::reason::nothing) throw stop_search{};
            if (all_->has_room()) share();
            if (all_->is_worker()) return;
        }
        if (go_on_now()) return;
        if (all_) all_->stop(together::reason::over);
        throw stop_search{};
    }
    bool go_on_now() const {
        const std::uint64_t executions = all_ ? all_->executions() : mine_.executions;
        const double done = (all_ ? all_->done() : mine_done_) + (now_ ? now_->done() : 0);
        return more_({before_.executions + executions, before_.done + done, begun_});
    }
    /// Half of what it has not begun, or of what it is in.
    parts give() {
        const std::size_t half = (left_.size() + 1) / 2;
        parts given(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(half));
        left_.erase(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(half));
        if (!given.empty()) return given;
        if (std::optional<tree_part> part = now_->give()) given.push_back(std::move(*part));
        return given;
    }
    void share() {
        parts given = give();
        if (given.empty()) return;
        switch (all_->fork_worker()) {
        case together::side::child:
            throw begins{std::move(given)};
        case together::side::alone:
            left_.insert(left_.end(), given.begin(), given.end());
            return;
        default:
            return;
        }
    }

    // ---- the process that began

    void gather(std::exception_ptr& error) {
        const std::vector<std::string> lines = all_->gather([this] {
            if (all_->stopped() == together::reason::nothing && !go_on_now())
                all_->stop(together::reason::over);
        });
        if (error) return;
        std::string knowledge, refused;
        for (const std::string& line : lines) {
            const json one = json::parse(line);
            if (one.contains("learnt")) knowledge = one.at("learnt").get<std::string>();
            if (one.contains("refused")) refused = one.at("refused").get<std::string>();
            if (one.contains("found")) add_findings(mine_, findings_of(one.at("found")));
        }
        mine_done_ = all_->done();
        mine_.processes = all_->processes();
        const together::reason why = all_->stopped();
        mine_.stopped = why == together::reason::over;
        mine_.limited = why == together::reason::executions;
        if (!mine_.failure.empty()) return show_failure();
        if (knowledge.empty() && !refused.empty()) throw std::invalid_argument(refused);
        if (knowledge.empty()) return;
        program_.begin_with(decode_token(knowledge).learnt);
        throw learnt("another process has learnt");
    }
    /// What another process has found is run here again.
    void show_failure() {
        if (mine_.failing_execution) return;
        search_order one = order_;
        one.shortest = false;
        findings again = replay(program_, one, decode_token(mine_.token));
        mine_.waits = std::move(again.waits);
        mine_.shown = std::move(again.shown);
        mine_.failing_execution = std::move(again.failing_execution);
    }

    program& program_;
    const search_order& order_;
    const go_on& more_;
    const unsigned begun_;
    const findings& before_; ///< of the searches that this one goes on with
    parts left_;             ///< that this process has not begun
    way* now_ = nullptr;     ///< through the part that it is in
    findings mine_;
    double mine_done_ = 0;
    std::optional<together> all_;
    std::uint32_t looks_ = 0;
};

} // namespace

findings search(program& p, const search_order& order, const go_on& more,
                const std::optional<findings>& left) {
    return until_all_is_known([&](findings& f, unsigned begun) {
        findings before; // when it begins anew, positions of another tree mean nothing
        before.rest.emplace_back();
        if (left && begun == 0) before = *left;
        f = pass(p, order, more, begun, before).run();
        if (!left || begun > 0) return;
        findings sum = *left;
        sum.rest.clear();
        sum.stopped = sum.limited = false;
        sum.done += f.done;
        add_findings(sum, f);
        sum.shown = std::move(f.shown);
        sum.waits = std::move(f.waits);
        sum.failing_execution = std::move(f.failing_execution);
        f = std::move(sum);
    });
}

} // namespace ringproof::silicon::a64
