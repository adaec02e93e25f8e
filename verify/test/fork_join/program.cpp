// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "../oracle/random_numbers.hpp"

#include <algorithm>

namespace ringproof::verify::fork_join {
namespace {

bool is_access(const step& s) { return s.what != step_kind::start && s.what != step_kind::join; }
bool is_atomic(const step& s) {
    return s.what == step_kind::atomic_read || s.what == step_kind::atomic_write;
}
bool writes(const step& s) { return s.what == step_kind::write || s.what == step_kind::atomic_write; }

class generator {
  public:
    generator(kind what, std::uint64_t seed)
        : kind_(what), random_(seed * 8 + static_cast<std::uint64_t>(what)) {}

    program run() {
        constexpr oracle::storage places[] = {oracle::storage::stack, oracle::storage::heap,
                                              oracle::storage::thread_variable};
        made_.memory = kind_ == kind::mapped ? oracle::storage::mapped : places[random_.below(3)];
        if (kind_ == kind::readers || (kind_ == kind::mapped && random_.percent(50)))
            readers();
        else
            tree();
        return std::move(made_);
    }

  private:
    step piece(step_kind what, int first, int size) { return {what, first, size, 0}; }
    void add(int thread, step s) {
        const bool meets_word = s.first < word_ + word_size_ && word_ < s.first + s.size;
        if (kind_ == kind::atomics && s.what == step_kind::write && meets_word) {
            const int end = std::max(s.first + s.size, word_ + word_size_);
            s.first = std::min(s.first, word_);
            s.size = end - s.first;
        }
        made_.threads[static_cast<std::size_t>(thread)].push_back(s);
    }

    void readers() {
        const int count = 6 + random_.below(15), size = random_.percent(75) ? 1 : 2;
        made_.threads.resize(static_cast<std::size_t>(count) + 1);
        if (random_.percent(50)) add(0, piece(step_kind::write, 0, 8));
        for (int t = 1; t <= count; ++t) {
            add(0, {step_kind::start, 0, 1, t});
            const int offset = random_.below(8);
            for (int i = 0; i < 8; i += size) {
                if (random_.percent(5)) continue;
                add(t, piece(step_kind::read, (i + offset) % 8 / size * size, size));
            }
        }
        // Joined in some order, most of them before main writes.
        std::vector<int> order;
        for (int t = 1; t <= count; ++t) order.push_back(t);
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[static_cast<std::size_t>(random_.below(static_cast<int>(i)))]);
        const int late = random_.percent(50) ? 0 : 1 + random_.below(2);
        for (int i = 0; i < count; ++i) {
            if (i == count - late) main_writes(size);
            add(0, {step_kind::join, 0, 1, order[static_cast<std::size_t>(i)]});
        }
        if (late == 0) main_writes(size);
    }
    void main_writes(int size) {
        const int first = random_.below(8) / size * size;
        add(0, random_.percent(30) ? piece(step_kind::write, 0, 8) : piece(step_kind::write, first, size));
    }

    void tree() {
        made_.threads.emplace_back();
        owned_ = random_.percent(50);
        word_size_ = 1 << random_.below(4);
        word_ = random_.below(oracle::window_bytes / word_size_) * word_size_;
        body(0, 0);
    }

    void body(int self, int depth) {
        std::vector<int> running;
        for (int n = 2 + random_.below(depth == 0 ? 12 : 5); n > 0; --n) {
            const int what = random_.below(10);
            if (what < (depth == 0 ? 5 : 1) && depth < 3 && made_.threads.size() < 20) {
                const int started = static_cast<int>(made_.threads.size());
                made_.threads.emplace_back();
                add(self, {step_kind::start, 0, 1, started});
                body(started, depth + 1);
                running.push_back(started);
            } else if (what < 7 && !running.empty() && random_.percent(60)) {
                const auto which = static_cast<std::size_t>(random_.below(static_cast<int>(running.size())));
                add(self, {step_kind::join, 0, 1, running[which]});
                running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
            } else {
                access(self);
            }
        }
        for (const int t : running) add(self, {step_kind::join, 0, 1, t});
    }

    void access(int self) {
        if ((kind_ == kind::atomics || kind_ == kind::reused) && random_.percent(12)) {
            const bool write = random_.percent(30) && atomic_writes_ < 3;
            if (!write && atomic_reads_ == 4) return;
            ++(write ? atomic_writes_ : atomic_reads_);
            return add(self,
                       piece(write ? step_kind::atomic_write : step_kind::atomic_read, word_, word_size_));
        }
        static constexpr std::array<int, 12> sizes{1, 1, 1, 2, 2, 4, 4, 8, 3, 5, 7, 12};
        const int size = sizes[static_cast<std::size_t>(random_.below(sizes.size()))];
        int first = random_.below(oracle::window_bytes - size + 1);
        // Writes mostly to a byte or two of the thread's own: few programs would be without a race.
        const bool write = random_.percent(owned_ ? 40 : 3);
        if (write && owned_ && random_.percent(97))
            return add(self, piece(step_kind::write, self % oracle::window_bytes, 1));
        if (!write && owned_ && random_.percent(96)) first = self % oracle::window_bytes;
        add(self, piece(write ? step_kind::write : step_kind::read, first,
                        owned_ && !write ? 1 + random_.percent(4) * (first < 15) : size));
    }

    kind kind_;
    oracle::random_numbers random_;
    program made_;
    bool owned_ = false;
    int word_ = 0, word_size_ = 1, atomic_writes_ = 0, atomic_reads_ = 0;
};

/// Happens-before among all steps, by Warshall's algorithm.
class order {
  public:
    explicit order(const program& what) {
        for (const auto& thread : what.threads) {
            first_.push_back(size_);
            size_ += thread.size() + 2; // with a beginning and an end
        }
        before_.assign(size_, std::vector<bool>(size_));
        for (std::size_t t = 0; t < what.threads.size(); ++t) {
            const std::size_t end = what.threads[t].size() + 1;
            for (std::size_t i = 0; i < end; ++i) before_[first_[t] + i][first_[t] + i + 1] = true;
            for (std::size_t i = 0; i < what.threads[t].size(); ++i) {
                const step& s = what.threads[t][i];
                const auto other = static_cast<std::size_t>(s.thread);
                if (s.what == step_kind::start) before_[number(t, i)][first_[other]] = true;
                if (s.what == step_kind::join)
                    before_[first_[other] + what.threads[other].size() + 1][number(t, i)] = true;
            }
        }
        for (std::size_t middle = 0; middle < size_; ++middle)
            for (std::size_t i = 0; i < size_; ++i) {
                if (!before_[i][middle]) continue;
                for (std::size_t j = 0; j < size_; ++j)
                    if (before_[middle][j]) before_[i][j] = true;
            }
    }
    bool unordered(std::size_t thread, std::size_t at, std::size_t other, std::size_t other_at) const {
        const std::size_t a = number(thread, at), b = number(other, other_at);
        return a != b && !before_[a][b] && !before_[b][a];
    }

  private:
    std::size_t number(std::size_t thread, std::size_t at) const { return first_[thread] + at + 1; }

    std::size_t size_ = 0;
    std::vector<std::size_t> first_;
    std::vector<std::vector<bool>> before_;
};

bool conflict(const step& a, const step& b) {
    return is_access(a) && is_access(b) && (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b)) &&
           a.first < b.first + b.size && b.first < a.first + a.size;
}

std::string text(const step& s) {
    if (s.what == step_kind::start) return "start T" + std::to_string(s.thread);
    if (s.what == step_kind::join) return "join T" + std::to_string(s.thread);
    const std::string bytes =
        "[" + std::to_string(s.first) + ".." + std::to_string(s.first + s.size - 1) + "]";
    return std::string(is_atomic(s) ? "atomic " : "") + (writes(s) ? "write " : "read ") + bytes;
}

/// Each thread runs to its end as it is started: one order among those that happens-before allows, and where nothing
/// races they all read the same.
void run(const program& what, std::size_t thread, oracle::window& bytes, judgement& found) {
    for (std::size_t at = 0; at < what.threads[thread].size(); ++at) {
        const step& s = what.threads[thread][at];
        std::uint8_t* const first = bytes.data() + s.first;
        int seen = 0;
        if (s.what == step_kind::start) run(what, static_cast<std::size_t>(s.thread), bytes, found);
        if (s.what == step_kind::read) seen = oracle::digest(first, s.size);
        if (s.what == step_kind::write) std::fill_n(first, s.size, static_cast<std::uint8_t>(thread + 1));
        found.atomics = found.atomics || is_atomic(s);
        found.values[thread].push_back(seen);
    }
}

} // namespace

program generate(kind what, std::uint64_t seed) { return generator(what, seed).run(); }

judgement judge(const program& what) {
    judgement found;
    const order hb(what);
    const std::size_t count = what.threads.size();
    for (std::size_t t = 0; t < count; ++t)
        for (std::size_t u = t; u < count; ++u)
            for (std::size_t i = 0; i < what.threads[t].size(); ++i)
                for (std::size_t j = 0; j < what.threads[u].size(); ++j)
                    if (conflict(what.threads[t][i], what.threads[u][j]) && hb.unordered(t, i, u, j))
                        found.race = "T" + std::to_string(t) + ": " + text(what.threads[t][i]) + ", T" +
                                     std::to_string(u) + ": " + text(what.threads[u][j]);
    found.values.resize(count);
    oracle::window bytes{};
    run(what, 0, bytes, found);
    return found;
}

std::string to_string(const program& what) {
    constexpr const char* places[] = {"stack", "heap", "mapped", "thread_local"};
    std::string all = "memory: " + std::string(places[static_cast<std::size_t>(what.memory)]) + "\n";
    for (std::size_t t = 0; t < what.threads.size(); ++t) {
        all += "T" + std::to_string(t) + ":";
        for (std::size_t i = 0; i < what.threads[t].size(); ++i)
            all += (i == 0 ? " " : "; ") + text(what.threads[t][i]);
        all += "\n";
    }
    return all;
}

} // namespace ringproof::verify::fork_join
