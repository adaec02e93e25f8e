// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"
#include "../frontend/assembly.hpp"

#include <fmt/format.h>

namespace ringproof::litmus::compiled {

static constexpr const char* end_label = "Lend";

thread_reader::thread_reader(const code& function, const symbol_names& symbols, std::string jump)
    : function_(function), symbols_(symbols), jump_(std::move(jump)) {
    std::set<std::string> used;
    for (const code_line& l : function) used.insert(l.operands.begin(), l.operands.end());
    for (const code_line& l : function)
        if (used.count(l.label) != 0) labels_.emplace(l.label, fmt::format("L{}", labels_.size()));
}

namespace {

/// Where the instructions of a thread go.
class flow_graph {
  public:
    flow_graph(const std::vector<std::string>& rows, const std::string& jump) : next_(rows.size()) {
        std::map<std::string, std::size_t> labels;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].back() == ':') labels[rows[i].substr(0, rows[i].size() - 1)] = i;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto target = labels.find(rows[i].substr(rows[i].find_last_of(" ,") + 1));
            if (target != labels.end()) next_[i].push_back(target->second);
            if (target == labels.end() || !rows[i].starts_with(jump + " ")) next_[i].push_back(i + 1);
        }
    }

    int jumps_back_outside_of_loops() const {
        int count = 0;
        for (std::size_t i = 0; i < next_.size(); ++i)
            for (const std::size_t to : next_[i])
                if (to <= i && !reaches(to, i)) ++count;
        return count;
    }

  private:
    bool reaches(std::size_t from, std::size_t to) const {
        std::vector<bool> seen(next_.size());
        std::vector<std::size_t> open{from};
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            if (at >= next_.size() || seen[at]) continue;
            if (at == to) return true;
            seen[at] = true;
            open.insert(open.end(), next_[at].begin(), next_[at].end());
        }
        return false;
    }

    std::vector<std::vector<std::size_t>> next_;
};

} // namespace

machine_thread thread_reader::read() {
    const code_line* last = nullptr;
    for (const code_line& l : function_)
        if (l.label.empty() || labels_.count(l.label) != 0) last = &l;
    for (const code_line& l : function_) {
        last_ = &l == last;
        if (!l.label.empty()) {
            const auto at = labels_.find(l.label);
            if (at != labels_.end()) emit(at->second + ":");
            arrive(l.label);
            continue;
        }
        if (l.name[0] == '.') l.refuse("data or a directive among the instructions is not supported");
        falls_through_ = l.name != jump_;
        step(l);
    }
    if (leaves_early_) emit(std::string(end_label) + ":");
    thread_.jumps_back = flow_graph(thread_.rows, jump_).jumps_back_outside_of_loops();
    return std::move(thread_);
}

void thread_reader::emit(const code_line& l, const std::vector<std::string>& operands) {
    for (const std::string& one : operands)
        for (const auto& [symbol, location] : symbols_)
            if (one.find(symbol) != std::string::npos)
                l.refuse("this way to address a location is not supported");
    emit(fmt::format("{}{}{}", l.name, operands.empty() ? "" : " ", fmt::join(operands, ",")));
}

void thread_reader::leave() {
    falls_through_ = false;
    if (last_) return;
    leaves_early_ = true;
    emit(fmt::format("{} {}", jump_, end_label));
}

/// What both tables say.
static void keep_common(std::map<std::string, std::string>& pages,
                        const std::map<std::string, std::string>& others) {
    for (auto at = pages.begin(); at != pages.end();) {
        const auto other = others.find(at->first);
        at = other == others.end() || other->second != at->second ? pages.erase(at) : std::next(at);
    }
}

std::string thread_reader::label(const code_line& l, const std::string& name) {
    const auto at = labels_.find(name);
    if (at == labels_.end()) l.refuse("calls and jumps to other functions are not supported");
    const auto [known, is_new] = pages_at_.emplace(name, pages_);
    if (!is_new) keep_common(known->second, pages_);
    if (depths_.emplace(name, depth_).first->second != depth_)
        l.refuse("the stack has another depth here than at the label");
    return at->second;
}

/// Jumps backwards are not looked at: code that comes round finds what the code before the label has left, or compilers
/// would not have written it so.
void thread_reader::arrive(const std::string& label) {
    const auto known = pages_at_.find(label);
    if (known != pages_at_.end()) {
        if (falls_through_)
            keep_common(pages_, known->second);
        else
            pages_ = known->second;
    }
    const auto depth = depths_.emplace(label, depth_).first;
    if (falls_through_ && depth->second != depth_)
        throw unreadable(fmt::format("the stack has two depths at the label {}", label));
    depth_ = depth->second;
    falls_through_ = true;
}

std::string thread_reader::fresh_label() { return fmt::format("M{}", fresh_++); }

const std::string& thread_reader::location_of(const code_line& l, const std::string& symbol) const {
    const auto at = symbols_.find(symbol);
    if (at == symbols_.end()) l.refuse(fmt::format("'{}' is no location of the test", symbol));
    return at->second;
}

std::string thread_reader::take_register(const code_line& l) {
    if (free_.empty())
        l.refuse("the function uses so many registers that none is left for what the test needs");
    std::string r = free_.back();
    free_.pop_back();
    return r;
}

std::string thread_reader::address_register(const code_line& l, const std::string& symbol) {
    const std::string& location = location_of(l, symbol);
    const auto at = holders_.find(location);
    if (at != holders_.end()) return at->second;
    std::string r = take_register(l);
    holders_[location] = r;
    thread_.addresses[r] = location;
    return r;
}

const std::string& thread_reader::scratch_register(const code_line& l) {
    if (scratch_.empty()) scratch_ = take_register(l);
    return scratch_;
}

std::string thread_reader::slot_register(const code_line& l, long offset, int bytes) {
    const long place = offset - depth_;
    const auto at = slots_.find(place);
    if (at == slots_.end()) return slots_[place] = {take_register(l), bytes}, slots_[place].name;
    if (at->second.bytes != bytes) l.refuse("a stack slot that is accessed in two sizes is not supported");
    return at->second.name;
}

bool parse_number(std::string_view text, long& n) {
    if (!text.empty() && (text[0] == '$' || text[0] == '#')) text.remove_prefix(1);
    std::int64_t value = 0;
    if (!parse_immediate(text, value)) return false;
    n = value;
    return true;
}

} // namespace ringproof::litmus::compiled
