// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a search is in its tree of choices, and which alternatives it goes into: all of them, those of one execution, or
// random ones. Alternatives that the model forbids are none; a choice has two or more.
//
// Nothing else connects the branches of the tree: what is found below an alternative depends on the way to it alone. So
// a search can be divided into parts, and be stopped and gone on with; each execution is in one part.

#include <cstdint>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ringproof::silicon {

/// A choice of the search: of what kind, and about which event.
struct choice_place {
    enum class kind : std::uint8_t { of_thread, place_of_write, write_of_read } what = kind::of_thread;
    std::uint32_t thread = 0, index = 0;
};

/// Of a choice, the alternatives from `first` to before `end`.
struct alternatives_left {
    std::uint32_t first = 0, end = 0;
    friend bool operator==(const alternatives_left&, const alternatives_left&) = default;
};

/// A part of the tree. The first alternatives of all its choices lead to where the search begins, and it goes into all
/// that is below. Then it goes into the other alternatives of the last choice, of the one before, and so on. Without
/// choices it is the whole tree.
using tree_part = std::vector<alternatives_left>;

/// Goes into all alternatives.
class way {
  public:
    virtual ~way() = default;
    way() = default;
    way(const way&) = delete;
    way& operator=(const way&) = delete;

    /// At a choice. @return the first alternative to go into, and the one behind the last
    virtual std::pair<std::uint32_t, std::uint32_t> take(const choice_place&, std::uint32_t alternatives) {
        return {0, alternatives};
    }
    /// The tree has been left. @return whether the search begins once more
    virtual bool again() { return false; }

    /// Into the first of the alternatives from `first` to `end`, which are not none.
    void enter(std::uint32_t first, std::uint32_t end, std::uint32_t alternatives) {
        path_.push_back({first, first, end, alternatives});
        ++choices_;
    }
    std::uint32_t taken() const { return path_.back().taken; }
    /// On to the next alternative of the last choice. @return false if there is none: it leaves the choice
    bool next();

    /// All that is left of the search, with all that is below where it is.
    virtual tree_part rest() const;
    /// Gives half of the alternatives away that are left at the first choice that has some; they are the largest parts.
    /// @return nothing if no choice has any
    std::optional<tree_part> give();

    /// The alternatives that lead to where the search is.
    std::vector<std::uint32_t> path() const;
    /// How much of the tree it has searched, from 0 to 1, if all alternatives of a choice were equally large.
    double done() const;
    /// Alternatives gone into so far.
    std::uint64_t choices() const { return choices_; }

  private:
    struct step {
        std::uint32_t first = 0, taken = 0, end = 0, alternatives = 0;
    };
    std::vector<step> path_;
    std::uint64_t choices_ = 0;
};

/// Through a part of the tree.
class way_through_part final : public way {
  public:
    explicit way_through_part(tree_part part) : part_(std::move(part)) {}
    /// @throws std::invalid_argument where the search has another choice than the one that the part was noted in
    std::pair<std::uint32_t, std::uint32_t> take(const choice_place& at, std::uint32_t alternatives) override;
    /// On the way to its part, with the choices that are still to come.
    tree_part rest() const override;

  private:
    tree_part part_;
    std::size_t next_ = 0;
};

/// The way to one execution.
class known_way final : public way {
  public:
    explicit known_way(std::vector<std::uint32_t> path) : path_(std::move(path)) {}
    /// @throws std::invalid_argument where the search has another choice than the one that the path was noted in
    std::pair<std::uint32_t, std::uint32_t> take(const choice_place& at, std::uint32_t alternatives) override;
    /// Whether the path led to its end.
    bool at_its_end() const { return next_ == path_.size(); }

  private:
    std::vector<std::uint32_t> path_;
    std::size_t next_ = 0;
};

/// One random alternative at each choice, again and again. A walk stands for as many executions as its chance says (Knuth,
/// "Estimating the efficiency of backtrack programs", 1975). Trees are skewed: few alternatives lead to most executions.
/// So walks learn how much was behind an alternative, and take it as often as it is worth. Whatever they have learnt,
/// the mean is right, as each walk is counted by the chance that it had.
class random_way : public way {
  public:
    explicit random_way(std::uint64_t seed) : dice_(seed) {}
    std::pair<std::uint32_t, std::uint32_t> take(const choice_place& at, std::uint32_t alternatives) override;
    /// Ends the walk. @return whether there is another
    bool again() override;

  protected:
    /// A walk has ended. @param stands_for of each execution that it met
    /// @return the executions that it met, and whether there is another walk
    virtual std::pair<double, bool> walked(double stands_for) = 0;
    /// How many alternatives the whole tree has, by the chances of this walk.
    double choices_of_tree() const { return tree_; }

  private:
    struct seen {
        double walks = 0, squares = 0; ///< of what was behind the alternative
    };
    struct taken {
        std::uint64_t alternative = 0, alike = 0; ///< keys of what is learnt: of it, and of those like it
        double chance = 1;
    };
    double worth(std::uint64_t alternative, std::uint64_t alike) const;
    void learn(double executions);

    std::mt19937_64 dice_;
    std::unordered_map<std::uint64_t, seen> seen_;
    std::vector<taken> walk_;
    std::vector<double> chances_;
    double weight_ = 1, tree_ = 0;
};

} // namespace ringproof::silicon
