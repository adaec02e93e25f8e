// SPDX-License-Identifier: Apache-2.0
#include "bytewise.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ringproof::litmus::bytewise {
namespace {

constexpr int bytes_of_location = 4, locations = 2, no_thread = -1;

/// One byte of one access; a swap reads and writes, and has two events for each.
struct byte_event {
    int thread, line;
    bool write;
    int address; ///< 0 to 7
    std::uint8_t stored;
    const access* of; ///< nullptr: the initial value
};

using row = std::uint64_t;
using relation = std::vector<row>;

bool has(const relation& r, std::size_t a, std::size_t b) { return (r[a] >> b) & 1; }
void add(relation& r, std::size_t a, std::size_t b) { r[a] |= row{1} << b; }

bool acyclic(relation r) {
    for (std::size_t k = 0; k < r.size(); ++k)
        for (std::size_t i = 0; i < r.size(); ++i)
            if (has(r, i, k)) r[i] |= r[k];
    for (std::size_t i = 0; i < r.size(); ++i)
        if (has(r, i, i)) return false;
    return true;
}

/// Of one byte: who reads from whom, and in which order it is written.
struct choice {
    std::vector<std::pair<std::size_t, std::size_t>> reads_from; ///< write, read
    std::vector<std::size_t> order;                              ///< the initial value first
};

class search {
  public:
    explicit search(const threads& t) : threads_(t) {
        for (int a = 0; a < locations * bytes_of_location; ++a)
            events_.push_back({no_thread, 0, true, a, 0, nullptr});
        for (std::size_t t_ = 0; t_ < t.code.size(); ++t_)
            for (std::size_t i = 0; i < t.code[t_].size(); ++i)
                add_access(static_cast<int>(t_), static_cast<int>(i));
        for (int a = 0; a < locations * bytes_of_location; ++a) choices_.push_back(coherent_choices(a));
        find_local_order();
        find_accesses();
    }

    std::uint64_t count() const {
        std::uint64_t all = 1;
        for (const auto& of_byte : choices_) all *= of_byte.size();
        return all;
    }

    result run() {
        std::vector<const choice*> chosen;
        choose(chosen);
        return found_;
    }

  private:
    void add_access(int thread, int line) {
        const access& a = threads_.code[static_cast<std::size_t>(thread)][static_cast<std::size_t>(line)];
        const int from = a.base * bytes_of_location + a.offset;
        for (const bool write : {false, true}) {
            if (a.what == access::kind::barrier || (write && a.what == access::kind::load) ||
                (!write && a.what == access::kind::store))
                continue;
            for (int k = 0; k < a.bytes; ++k)
                events_.push_back(
                    {thread, line, write, from + k, static_cast<std::uint8_t>(a.stored >> (8 * k)), &a});
        }
    }

    bool before(std::size_t a, std::size_t b) const { // program order, of different instructions
        return events_[a].thread >= 0 && events_[a].thread == events_[b].thread &&
               events_[a].line < events_[b].line;
    }
    bool same_instruction(std::size_t a, std::size_t b) const {
        return events_[a].thread >= 0 && events_[a].thread == events_[b].thread &&
               events_[a].line == events_[b].line;
    }
    bool one_access(std::size_t a, std::size_t b) const {
        return same_instruction(a, b) && events_[a].write == events_[b].write;
    }
    bool swap_pair(std::size_t r, std::size_t w) const {
        return same_instruction(r, w) && !events_[r].write && events_[w].write &&
               events_[r].address == events_[w].address;
    }
    bool external(std::size_t a, std::size_t b) const { return events_[a].thread != events_[b].thread; }

    // ---- one byte

    std::vector<choice> coherent_choices(int address) const {
        std::vector<std::size_t> reads, writes;
        for (std::size_t i = 0; i < events_.size(); ++i)
            if (events_[i].address == address) (events_[i].write ? writes : reads).push_back(i);
        std::vector<choice> all;
        do {
            choice c;
            c.order = writes;
            choose_writers(c, reads, 0, all);
        } while (std::next_permutation(writes.begin() + 1, writes.end()));
        return all;
    }

    void choose_writers(choice& c, const std::vector<std::size_t>& reads, std::size_t k,
                        std::vector<choice>& all) const {
        if (k == reads.size()) {
            if (coherent(c) && atomic(c)) all.push_back(c);
            return;
        }
        for (const std::size_t w : c.order) {
            c.reads_from.emplace_back(w, reads[k]);
            choose_writers(c, reads, k + 1, all);
            c.reads_from.pop_back();
        }
    }

    static std::size_t place(const choice& c, std::size_t write) {
        return static_cast<std::size_t>(std::find(c.order.begin(), c.order.end(), write) - c.order.begin());
    }

    /// Reads-from, coherence order and from-reads.
    void communicate(const choice& c, relation& r) const {
        for (std::size_t i = 0; i < c.order.size(); ++i)
            for (std::size_t j = i + 1; j < c.order.size(); ++j) add(r, c.order[i], c.order[j]);
        for (const auto& [w, read] : c.reads_from) {
            add(r, w, read);
            for (std::size_t j = place(c, w) + 1; j < c.order.size(); ++j) add(r, read, c.order[j]);
        }
    }

    bool coherent(const choice& c) const {
        relation r(events_.size(), 0);
        communicate(c, r);
        for (std::size_t i = 0; i < events_.size(); ++i)
            for (std::size_t j = 0; j < events_.size(); ++j)
                if (events_[i].address == events_[j].address && (before(i, j) || swap_pair(i, j)))
                    add(r, i, j);
        return acyclic(r);
    }

    /// No write of another thread between the two halves of a swap.
    bool atomic(const choice& c) const {
        for (const auto& [w, read] : c.reads_from)
            for (const std::size_t own : c.order) {
                if (!swap_pair(read, own)) continue;
                for (std::size_t k = place(c, w) + 1; k < place(c, own); ++k)
                    if (external(c.order[k], own)) return false;
            }
        return true;
    }

    // ---- what one thread orders

    /// Does a barrier order them?
    bool barred(std::size_t a, std::size_t b) const {
        const auto& code = threads_.code[static_cast<std::size_t>(events_[a].thread)];
        const auto bit = [&](std::size_t i) { return events_[i].write ? 2 : 1; };
        for (int line = events_[a].line + 1; line < events_[b].line; ++line) {
            const access& f = code[static_cast<std::size_t>(line)];
            if (f.what == access::kind::barrier && ((f.loads_before | f.stores_before) & bit(a)) != 0 &&
                (f.loads_after & bit(b)) != 0)
                return true;
        }
        return false;
    }

    /// The load that an instruction depends on.
    int source_of(int thread, int line) const {
        const auto& code = threads_.code[static_cast<std::size_t>(thread)];
        for (int k = line - 1; k >= 0; --k)
            if (code[static_cast<std::size_t>(k)].what == access::kind::load ||
                code[static_cast<std::size_t>(k)].what == access::kind::swap)
                return k;
        return -1;
    }
    bool depends(std::size_t r, std::size_t on, bool by_address) const {
        const byte_event& e = events_[on];
        const bool does = by_address ? e.of->address_dependent : e.of->data_dependent && e.write;
        return does && before(r, on) && !events_[r].write && events_[r].line == source_of(e.thread, e.line);
    }

    bool ordered_in_thread(std::size_t a, std::size_t b) const {
        const byte_event &x = events_[a], &y = events_[b];
        if (swap_pair(a, b)) return true;
        if (!before(a, b)) return false;
        const bool acquires = !x.write && x.of->acquire, releases = y.write && y.of->release;
        // A swap with both orders what is after it behind its store.
        const bool fences = x.write && x.of->what == access::kind::swap && x.of->acquire && x.of->release;
        if (acquires || releases || fences || barred(a, b)) return true;
        if (x.write && x.of->release && !y.write && y.of->acquire) return true;
        if (depends(a, b, true) || depends(a, b, false)) return true;
        if (y.write && !x.write)
            for (std::size_t m = 0; m < events_.size(); ++m)
                if (events_[m].of && depends(a, m, true) && before(m, b)) return true;
        // Before a write of the same byte, and so before all of that access.
        for (std::size_t m = 0; y.write && m < events_.size(); ++m)
            if (events_[m].of && one_access(m, b) && events_[m].address == x.address) return true;
        return false;
    }

    void find_local_order() {
        local_.assign(events_.size(), 0);
        for (std::size_t a = 0; a < events_.size(); ++a)
            for (std::size_t b = 0; b < events_.size(); ++b)
                if (events_[a].of && events_[b].of && ordered_in_thread(a, b)) add(local_, a, b);
    }

    /// All bytes of the access of each; and of each byte read, which earlier reads of the thread read a byte of the same
    /// access: they come before what overwrites it.
    void find_accesses() {
        const std::size_t n = events_.size();
        whole_.assign(n, 0);
        read_before_.resize(n);
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) {
                if (a != b && !one_access(a, b)) continue;
                add(whole_, a, b);
                for (std::size_t first = 0; first < n; ++first)
                    if (!events_[a].write && !events_[first].write && before(first, b) &&
                        events_[first].address == events_[b].address)
                        read_before_[a].push_back(first);
            }
    }

    /// A load of what the thread itself has just stored, on which more depends than on other loads.
    void order_forwarded(const std::vector<const choice*>& chosen, relation& ob) const {
        for (const choice* c : chosen)
            for (const auto& [any, read] : c->reads_from) {
                const std::size_t w = last_own_write(read);
                if (w == events_.size()) continue;
                for (std::size_t r = 0; r < events_.size(); ++r) {
                    if (!events_[r].of) continue;
                    if (depends(r, w, true) || depends(r, w, false)) add(ob, r, read);
                    if (swap_pair(r, w) && events_[read].of->acquire) add(ob, r, read);
                }
            }
    }

    /// The last write of a byte before a read of it in its thread.
    std::size_t last_own_write(std::size_t read) const {
        std::size_t last = events_.size();
        for (std::size_t w = 0; w < events_.size(); ++w)
            if (events_[w].write && events_[w].address == events_[read].address && before(w, read) &&
                (last == events_.size() || events_[w].line > events_[last].line))
                last = w;
        return last;
    }

    // ---- whole executions

    void choose(std::vector<const choice*>& chosen) {
        if (chosen.size() == choices_.size()) {
            if (allowed(chosen)) ++found_[shown(chosen)];
            return;
        }
        for (const choice& c : choices_[chosen.size()]) {
            chosen.push_back(&c);
            choose(chosen);
            chosen.pop_back();
        }
    }

    bool allowed(const std::vector<const choice*>& chosen) const {
        relation all(events_.size(), 0), ob = local_;
        for (const choice* c : chosen) communicate(*c, all);
        const std::size_t n = events_.size();
        for (std::size_t a = 0; a < n; ++a)
            for (std::size_t b = 0; b < n; ++b) {
                if (!has(all, a, b) || !external(a, b)) continue;
                ob[a] |= whole_[b]; // what reaches a byte reaches the access
                if (events_[a].write || !events_[b].write) continue;
                for (const std::size_t earlier : read_before_[a]) ob[earlier] |= whole_[b];
            }
        order_forwarded(chosen, ob);
        return acyclic(ob);
    }

    std::vector<std::uint32_t> shown(const std::vector<const choice*>& chosen) const {
        std::vector<std::uint8_t> read(events_.size(), 0);
        for (const choice* c : chosen)
            for (const auto& [w, r] : c->reads_from) read[r] = events_[w].stored;
        std::vector<std::uint32_t> values;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const byte_event& e = events_[i];
            if (!e.of || e.write) continue;
            const int k = e.address - e.of->base * bytes_of_location - e.of->offset;
            if (k == 0) values.push_back(0);
            values.back() |= std::uint32_t{read[i]} << (8 * k);
        }
        for (int l = 0; l < locations; ++l) {
            std::uint32_t v = 0;
            for (int k = 0; k < bytes_of_location; ++k) {
                const std::size_t byte = static_cast<std::size_t>(l * bytes_of_location + k);
                v |= std::uint32_t{events_[chosen[byte]->order.back()].stored} << (8 * k);
            }
            values.push_back(v);
        }
        return values;
    }

    const threads& threads_;
    std::vector<byte_event> events_;
    std::vector<std::vector<choice>> choices_; ///< of each byte
    relation local_, whole_;
    std::vector<std::vector<std::size_t>> read_before_;
    result found_;
};

/// A program for each way in which computed offsets may come out, and what has to be read for it: the place of what is
/// read among the values, the bits that count, and their value.
struct outcome {
    threads code;
    std::vector<std::array<std::uint32_t, 3>> reads;
};

std::vector<outcome> outcomes(const threads& t) {
    std::vector<outcome> all{{t, {}}};
    std::uint32_t reads = 0;
    for (std::size_t thread = 0; thread < t.code.size(); ++thread)
        for (std::size_t line = 0; line < t.code[thread].size(); ++line) {
            const access& a = t.code[thread][line];
            std::vector<outcome> more;
            for (const outcome& o : all)
                for (int added = 0; added <= a.index; ++added) {
                    if ((added & a.index) != added) continue;
                    more.push_back(o);
                    access& fixed = more.back().code.code[thread][line];
                    fixed.offset += added;
                    fixed.index = 0;
                    if (a.index != 0) // the read before this one
                        more.back().reads.push_back({reads - 1, static_cast<std::uint32_t>(a.index),
                                                     static_cast<std::uint32_t>(added)});
                }
            all = std::move(more);
            reads += a.what == access::kind::load || a.what == access::kind::swap;
        }
    return all;
}

} // namespace

std::uint64_t count_of(const threads& t) {
    std::uint64_t all = 0;
    for (const outcome& o : outcomes(t)) all += search(o.code).count();
    return all;
}

result executions(const threads& t) {
    result all;
    for (const outcome& o : outcomes(t))
        for (const auto& [values, count] : search(o.code).run())
            if (std::all_of(o.reads.begin(), o.reads.end(),
                            [&values = values](const auto& r) { return (values[r[0]] & r[1]) == r[2]; }))
                all[values] += count;
    return all;
}

} // namespace ringproof::litmus::bytewise
