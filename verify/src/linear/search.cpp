// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

namespace ringproof::verify::linear {
namespace {

class search {
  public:
    search(const history& h, const oracle& allows) : history_(h), allows_(allows) {}

    bool from(std::uint32_t done) {
        const std::size_t n = history_.calls.size();
        if (order_.size() > longest_.size() || longest_.empty()) longest_ = order_;
        if (order_.size() == n) return true;
        for (unsigned i = 0; i < n; ++i) {
            const std::uint32_t bit = std::uint32_t{1} << i;
            if ((done & bit) != 0 || (history_.before[i] & ~done) != 0) continue;
            const bool counts = history_.no_effect.empty() || !history_.no_effect[i];
            if (counts) past_.push_back(history_.calls[i]);
            order_.push_back(i);
            if ((!counts || allows_(past_.data(), past_.size())) && from(done | bit)) return true;
            order_.pop_back();
            if (counts) past_.pop_back();
        }
        return false;
    }
    std::vector<unsigned> longest() const { return longest_; }

  private:
    const history& history_;
    const oracle& allows_;
    std::vector<made_call> past_;
    std::vector<unsigned> order_, longest_;
};

} // namespace

explanation explain(const history& h, const oracle& allows) {
    search s(h, allows);
    const bool found = s.from(0);
    return {found, s.longest()};
}

} // namespace ringproof::verify::linear
