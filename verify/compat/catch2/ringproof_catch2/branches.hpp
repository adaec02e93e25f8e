// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which SECTIONs of a test case an execution enters, and which values of a GENERATE it takes.
//
// Catch2 runs a test case again and again, and each run takes one path: of the SECTIONs of a level it enters one, of a GENERATE it
// takes one value. Here a path is an execution's, and the checker chooses among all of them. They have to be known before the search:
// the first execution of each path shows how many ways each of its branches has. An execution that meets other
// branches than that one is refused, since paths may be missing.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ringproof::verify::catch2 {

/// A place where a path takes one of several ways.
struct branch {
    std::size_t line = 0;
    unsigned taken = 0, ways = 0; ///< of the SECTIONs of a level, or of the values of a GENERATE
    std::size_t name = 0;         ///< hashed
    friend bool operator==(const branch&, const branch&) = default;
};

/// The branches from the beginning of a test case to its end.
struct path {
    std::vector<branch> branches;
    std::string name; ///< "section / section below it"
};

/// The path after this one, in depth-first order: the ways before its last branch. Empty: there is none.
inline std::vector<unsigned> next_ways(const path& p) {
    std::vector<unsigned> ways;
    for (std::size_t last = p.branches.size(); last-- > 0;) {
        if (p.branches[last].taken + 1 == p.branches[last].ways) continue;
        for (std::size_t b = 0; b < last; ++b) ways.push_back(p.branches[b].taken);
        ways.push_back(p.branches[last].taken + 1);
        break;
    }
    return ways;
}

/// What a process tells another of a path.
inline std::string to_text(const path& p) {
    std::ostringstream text;
    text << p.branches.size();
    for (const branch& b : p.branches)
        text << ' ' << b.line << ' ' << b.taken << ' ' << b.ways << ' ' << b.name;
    text << '\n' << p.name;
    return text.str();
}

inline path to_path(const std::string& text) {
    path p;
    std::istringstream from(text);
    std::size_t n = 0;
    from >> n;
    p.branches.resize(n);
    for (branch& b : p.branches) from >> b.line >> b.taken >> b.ways >> b.name;
    from.ignore();
    std::getline(from, p.name, '\0');
    return p;
}

/// The path that an execution takes.
class walk {
  public:
    /// `ways`: of its first branches; of those behind it takes the first.
    void begin(const std::vector<unsigned>& ways) {
        ways_ = ways;
        scopes_.assign(1, {});
    }
    /// A SECTION is met. @return whether it is entered
    bool enters(std::size_t line, const std::string& name) {
        const place here{line, std::hash<std::string>()(name)};
        scope& level = scopes_.back();
        for (const place& p : level.met)
            if (p == here) return false; // in a loop: it was entered, or left out, before
        level.met.push_back(here);
        const auto number = static_cast<unsigned>(level.met.size() - 1);
        if (level.entered) ++taken_.branches[level.at].ways;
        if (level.entered || number < wanted()) return false;
        level.entered = true;
        level.at = taken_.branches.size();
        taken_.branches.push_back({line, number, number + 1, here.name});
        taken_.name += (taken_.name.empty() ? "" : " / ") + name;
        scopes_.push_back({});
        return true;
    }
    void leave_section() {
        while (scopes_.back().of_generator) scopes_.pop_back();
        scopes_.pop_back();
        has_left_ = true;
    }
    /// A GENERATE is met. @return the number of its branch
    std::size_t take_value(std::size_t line) {
        const std::size_t at = taken_.branches.size();
        taken_.branches.push_back({line, wanted(), 0, 0});
        taken_.name += (taken_.name.empty() ? "value " : " / value ") + std::to_string(wanted(at) + 1);
        scopes_.push_back({});
        scopes_.back().of_generator = true;
        return at;
    }
    void set_ways(std::size_t at, unsigned ways) { taken_.branches[at].ways = ways; }
    unsigned wanted(std::size_t at) const { return at < ways_.size() ? ways_[at] : 0; }
    /// Whether a SECTION has been left: a GENERATE behind it would have run before, in Catch2 too, and it does not nest.
    bool has_left() const { return has_left_; }
    const path& taken() const { return taken_; }

  private:
    struct place {
        std::size_t line, name;
        friend bool operator==(const place&, const place&) = default;
    };
    /// Between the braces of a SECTION, or from a GENERATE to the end of what it stands in.
    struct scope {
        std::vector<place> met;
        bool entered = false, of_generator = false;
        std::size_t at = 0; ///< entered: its branch
    };
    std::vector<unsigned> ways_;
    std::vector<scope> scopes_;
    path taken_;
    bool has_left_ = false;

    unsigned wanted() const { return wanted(taken_.branches.size()); }
};

} // namespace ringproof::verify::catch2
