// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <algorithm>

namespace ringproof::litmus {
namespace {

class painter {
  public:
    painter(const program& p, const structure& s, const known_values& values,
            const std::vector<std::size_t>& writer, const cat::graph& g, cat::evaluator& e)
        : program_(p), structure_(s), values_(values), writer_(writer), graph_(g), eval_(e), size_(s.size()) {
    }

    using edges = std::vector<std::pair<std::size_t, std::size_t>>;

    std::string text_of(const value& v) const {
        if (!v.is_address()) return std::to_string(v.number);
        const std::string& name = program_.locations[static_cast<std::size_t>(v.location)];
        return v.number ? name + "+" + std::to_string(v.number) : name;
    }

    /// Pairs of a relation; of a transitive one only the steps that are no two.
    edges edges_of(const word* r, bool only_steps) const {
        edges all;
        for (std::size_t i = 0; i < size_.events; ++i)
            each_bit(r + i * size_.words, size_.words, [&](std::size_t j) {
                bool step = true;
                for (std::size_t k = 0; only_steps && step && k < size_.events; ++k)
                    step = !(test_bit(r + i * size_.words, k) && test_bit(r + k * size_.words, j));
                if (step) all.emplace_back(i, j);
            });
        return all;
    }

    execution picture() const {
        execution x;
        for (std::size_t i = 0; i < size_.events; ++i) {
            const placed_event& e = structure_.events()[i];
            execution::event shown;
            shown.thread = e.thread;
            shown.kind = !e.what                   ? "init"
                         : e.is_read && e.is_write ? "U"
                         : e.is_read               ? "R"
                         : e.is_write              ? "W"
                                                   : "F";
            if (e.location >= 0) shown.location = program_.locations[static_cast<std::size_t>(e.location)];
            value v;
            if (e.is_write && values_.stored(i, v)) shown.stored = text_of(v);
            if (e.is_read && values_.evaluate(e.what->loaded, v)) shown.loaded = text_of(v);
            if (e.what) shown.labels = tag_names(e.what->labels), shown.offset = e.what->offset;
            x.events.push_back(std::move(shown));
        }
        std::vector<word> r(size_.relation());
        const auto add = [&](const char* name, const edges& all) {
            if (!all.empty()) x.relations.emplace_back(name, all);
        };
        const auto of_program = [&](const char* name, bool only_steps) {
            std::fill(r.begin(), r.end(), 0);
            structure_.fill(name, false, r.data());
            add(name, edges_of(r.data(), only_steps));
        };
        of_program("po", true);
        edges rf, fr;
        for (const std::size_t i : structure_.reads()) rf.emplace_back(writer_[i], i);
        std::sort(rf.begin(), rf.end());
        add("rf", rf);
        for (std::size_t k = 0; k < graph_.choices.size(); ++k) {
            if (!graph_.choices[k].is_order || !graph_.choices[k].per_location) continue;
            const word* co = eval_.chosen(k);
            const edges steps = edges_of(co, true);
            add("co", steps);
            // A load comes before the first store that overwrites what it read.
            for (const auto& [from, read] : rf)
                for (const auto& [before, after] : steps)
                    if (before == from && after != read) fr.emplace_back(read, after);
            std::sort(fr.begin(), fr.end());
            add("fr", fr);
            break;
        }
        for (const char* name : {"addr", "data", "ctrl", "rmw"}) of_program(name, false);
        return x;
    }

  private:
    const program& program_;
    const structure& structure_;
    const known_values& values_;
    const std::vector<std::size_t>& writer_;
    const cat::graph& graph_;
    cat::evaluator& eval_;
    extent size_;
};

} // namespace

execution picture_of(const program& p, const structure& s, const known_values& values,
                     const std::vector<std::size_t>& writer, const cat::graph& g, cat::evaluator& e) {
    return painter(p, s, values, writer, g, e).picture();
}

} // namespace ringproof::litmus
