// SPDX-License-Identifier: Apache-2.0
#include <ringproof/silicon/way.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ringproof::silicon {

std::vector<std::uint32_t> way::path() const {
    std::vector<std::uint32_t> taken;
    for (const step& s : path_) taken.push_back(s.taken);
    return taken;
}

bool way::next() {
    step& last = path_.back();
    if (++last.taken < last.end) {
        ++choices_;
        return true;
    }
    path_.pop_back();
    return false;
}

tree_part way::rest() const {
    tree_part rest;
    for (const step& s : path_) rest.push_back({s.taken, s.end});
    return rest;
}

std::optional<tree_part> way::give() {
    tree_part given;
    for (step& s : path_) {
        const std::uint32_t left = s.end - s.taken - 1;
        if (left == 0) {
            given.push_back({s.taken, s.taken + 1});
            continue;
        }
        const std::uint32_t kept = s.taken + 1 + left / 2;
        given.push_back({kept, s.end});
        s.end = kept;
        return given;
    }
    return std::nullopt;
}

double way::done() const {
    constexpr double too_little = 1e-6;
    double done = 0, part = 1;
    for (const step& s : path_) {
        part /= s.alternatives;
        done += part * (s.taken - s.first);
        if (part < too_little) break;
    }
    return done;
}

std::pair<std::uint32_t, std::uint32_t> way_through_part::take(const choice_place&,
                                                               std::uint32_t alternatives) {
    if (next_ == part_.size()) return {0, alternatives};
    const alternatives_left& left = part_[next_++];
    if (left.first >= left.end || left.end > alternatives)
        throw std::invalid_argument("the part of a search does not fit this program: it has other choices");
    return {left.first, left.end};
}

tree_part way_through_part::rest() const {
    tree_part rest = way::rest();
    rest.insert(rest.end(), part_.begin() + static_cast<std::ptrdiff_t>(next_), part_.end());
    return rest;
}

std::pair<std::uint32_t, std::uint32_t> known_way::take(const choice_place&, std::uint32_t alternatives) {
    if (next_ == path_.size() || path_[next_] >= alternatives)
        throw std::invalid_argument(
            "the replay token does not fit this program: its search has other choices");
    const std::uint32_t one = path_[next_++];
    return {one, one + 1};
}

namespace {

constexpr double even_share = 0.3; // of the chances, so that no alternative goes unseen

/// Of alternatives that are alike, whatever event they are about.
std::uint64_t key_of_alike(const choice_place& at, std::uint32_t alternative) {
    constexpr std::uint32_t most = 63;
    return std::uint64_t{static_cast<std::uint8_t>(at.what)} << 8 | std::min(alternative, most);
}
std::uint64_t key_of(const choice_place& at, std::uint32_t alternatives, std::uint32_t alternative) {
    return std::uint64_t{1} << 63 | std::uint64_t{at.thread & 0x7f} << 56 |
           std::uint64_t{at.index & 0xff'ffff} << 32 | std::uint64_t{alternatives & 0xffff} << 16 |
           key_of_alike(at, alternative);
}

} // namespace

/// The root of the mean square of what was behind it, which makes the spread of the estimates least. Of what was seen
/// little, the mean of its kind counts as some walks more.
double random_way::worth(std::uint64_t alternative, std::uint64_t alike) const {
    constexpr double as_many_walks = 5;
    const auto own = seen_.find(alternative), of_kind = seen_.find(alike);
    const seen s = own == seen_.end() ? seen{} : own->second;
    const double expected = of_kind == seen_.end() ? 1 : of_kind->second.squares / of_kind->second.walks;
    return std::sqrt((s.squares + as_many_walks * expected) / (s.walks + as_many_walks));
}

std::pair<std::uint32_t, std::uint32_t> random_way::take(const choice_place& at, std::uint32_t alternatives) {
    chances_.clear();
    double all = 0;
    for (std::uint32_t k = 0; k < alternatives; ++k) {
        chances_.push_back(worth(key_of(at, alternatives, k), key_of_alike(at, k)));
        all += chances_.back();
    }
    const double even = 1.0 / alternatives;
    for (double& c : chances_) c = all > 0 ? (1 - even_share) * c / all + even_share * even : even;
    // Not std::uniform_real_distribution, whose numbers differ between libraries.
    double left = std::ldexp(static_cast<double>(dice_() >> 11), -53);
    std::uint32_t one = 0;
    while (one + 1 < alternatives && left >= chances_[one]) left -= chances_[one++];
    walk_.push_back({key_of(at, alternatives, one), key_of_alike(at, one), chances_[one]});
    weight_ /= chances_[one];
    tree_ += weight_;
    return {one, one + 1};
}

void random_way::learn(double executions) {
    for (; !walk_.empty(); walk_.pop_back()) {
        for (const std::uint64_t key : {walk_.back().alternative, walk_.back().alike}) {
            seen& s = seen_[key];
            s.walks += 1;
            s.squares += executions * executions;
        }
        executions /= walk_.back().chance;
    }
}

bool random_way::again() {
    const auto [executions, more] = walked(weight_);
    learn(executions);
    weight_ = 1;
    tree_ = 0;
    return more;
}

} // namespace ringproof::silicon
