// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"
#include "../parse/text.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace ringproof::litmus {

namespace {

std::mutex tag_guard; // tests may be read by several threads
std::unordered_map<std::string, std::size_t>& tag_map() {
    static std::unordered_map<std::string, std::size_t> map;
    return map;
}

} // namespace

std::size_t tag_index(const std::string& name) {
    const std::lock_guard<std::mutex> lock(tag_guard);
    const auto [at, fresh] = tag_map().try_emplace(name, tag_map().size());
    if (fresh && tag_map().size() > most_tags) {
        tag_map().erase(at);
        throw std::runtime_error("too many different names of event sets");
    }
    return at->second;
}

std::size_t known_tag(const std::string& name) {
    const std::lock_guard<std::mutex> lock(tag_guard);
    const auto at = tag_map().find(name);
    return at == tag_map().end() ? most_tags : at->second;
}

std::vector<std::string> tag_names(const tag_set& set) {
    std::map<std::string, std::string> names; // in small letters → as spelt
    const std::lock_guard<std::mutex> lock(tag_guard);
    for (const auto& [name, index] : tag_map()) {
        if (!set.test(index)) continue;
        std::string& kept = names[lower(name)];
        if (kept.empty() || name < kept) kept = name;
    }
    std::vector<std::string> all;
    for (auto& [small, name] : names) all.push_back(std::move(name));
    return all;
}

tag_set tags(std::initializer_list<const char*> names) {
    tag_set set;
    for (const char* name : names) set.set(tag_index(name));
    return set;
}

std::int32_t program::find(const std::string& name) const {
    if (const auto array = arrays.find(name); array != arrays.end()) return array->second;
    const auto at = std::find(locations.begin(), locations.end(), name);
    return at == locations.end() ? -1 : static_cast<std::int32_t>(at - locations.begin());
}

std::int32_t program::location_index(const std::string& name) {
    const std::int32_t known = find(name);
    if (known >= 0) return known;
    if (locations.size() == most_locations) throw too_many_locations{};
    const auto fresh = static_cast<std::int32_t>(locations.size());
    locations.push_back(name);
    initial.emplace_back();
    placed.push_back({fresh, 0, 0, false});
    return fresh;
}

std::int32_t program::code_index(const std::string& name) {
    const std::int32_t where = location_index(name);
    placed[static_cast<std::size_t>(where)].code = true;
    return where;
}

int program::bytes_shown(const location& l) const {
    if (architecture == "C") return 8;
    if (l.is_register()) {
        const auto at =
            register_bytes.find({l.thread, canonical_register ? canonical_register(l.name) : l.name});
        return at == register_bytes.end() || at->second == 0 ? 4 : at->second;
    }
    const std::int32_t where = find(l.name);
    if (const whole* w = whole_of(where)) return w->bytes;
    const int bytes = where < 0 ? 0 : placed[static_cast<std::size_t>(where)].bytes;
    return bytes == 0 ? 4 : bytes;
}

const program::whole* program::whole_of(std::int32_t location) const {
    if (location < 0 || static_cast<std::size_t>(location) >= wholes.size()) return nullptr;
    const whole& w = wholes[static_cast<std::size_t>(location)];
    return w.parts.empty() ? nullptr : &w;
}

value program::address(std::int32_t location) const {
    const placement& p = placed[static_cast<std::size_t>(location)];
    return {p.offset, p.array};
}

std::int32_t program::at(const value& address) const {
    if (!address.is_address()) return -1;
    if (address.number == 0) return address.location;
    for (std::size_t l = 0; l < placed.size(); ++l)
        if (placed[l].array == address.location && placed[l].offset == address.number)
            return static_cast<std::int32_t>(l);
    return -1;
}

operand_value path_builder::apply(expressions::op o, const operand_value& a, const operand_value& b) {
    spend(50);
    return {values().apply(o, a.e, b.e), a.from | b.from, a.picked | b.picked};
}

operand_value path_builder::apply(expressions::op o, const operand_value& a) {
    return {values().apply(o, a.e), a.from, a.picked};
}

operand_value path_builder::address_of(const std::string& location) {
    return {values().constant(program_.address(program_.location_index(location))), 0, 0};
}

void path_builder::instruction(std::size_t offset) {
    spend(50);
    ++instance_;
    offset_ = offset;
}

event& path_builder::add(const tag_set& labels) {
    if (path_.events.size() == most_events_in_path) throw too_many_events{offset_, backwards_};
    event& e = path_.events.emplace_back();
    e.thread = thread_;
    e.instance = instance_;
    e.labels = labels;
    e.offset = offset_;
    e.control_from = control_from_;
    e.picked_control = picked_control_;
    return e;
}

int path_builder::read(const operand_value& address, const tag_set& labels, operand_value& result) {
    const std::size_t index = path_.events.size();
    event& e = add(labels);
    e.is_read = true;
    e.address = address.e;
    e.address_from = address.from;
    e.picked_address = address.picked;
    e.loaded = values().fresh_variable();
    result = {e.loaded, load_set{1} << index, load_set{1} << index};
    return static_cast<int>(index);
}

int path_builder::write(const operand_value& address, const operand_value& data, const tag_set& labels) {
    const std::size_t index = path_.events.size();
    event& e = add(labels);
    e.is_write = true;
    e.address = address.e;
    e.address_from = address.from;
    e.picked_address = address.picked;
    e.stored = data.e;
    e.data_from = data.from;
    e.picked_data = data.picked;
    return static_cast<int>(index);
}

int path_builder::update(const operand_value& address, const tag_set& labels, operand_value& loaded,
                         const std::function<operand_value(const operand_value&)>& make) {
    const int index = read(address, labels, loaded);
    const operand_value data = make(loaded);
    event& e = at(index);
    e.is_write = true;
    e.stored = data.e;
    e.data_from = data.from & ~(load_set{1} << index);
    e.picked_data = data.picked & ~(load_set{1} << index);
    return index;
}

int path_builder::other(const tag_set& labels) {
    add(labels);
    return static_cast<int>(path_.events.size()) - 1;
}

void path_builder::rmw(int read, int write, bool exclusive) {
    at(write).rmw_read = read;
    at(write).exclusive = exclusive;
}

void path_builder::one_access(int first, int second) {
    for (const int e : {first, second}) {
        at(e).access = -1 - first; // those of pieces are positive
        at(e).paired = true;
    }
}

void path_builder::in_order(int first, int second) { at(second).ordered |= load_set{1} << first; }

bool path_builder::decide(const operand_value& condition) {
    if (values().is_constant(condition.e)) return !(values().constant_of(condition.e) == value{});
    spend(50 + path_.assumed.size());
    for (const assumption& a : path_.assumed)
        if (a.condition == condition.e) return a.holds;
    if (next_decision_ == decisions_.size()) decisions_.push_back(true);
    const bool holds = decisions_[next_decision_++];
    path_.assumed.push_back({condition.e, holds});
    return holds;
}

bool path_builder::branch(const operand_value& condition) {
    const bool taken = decide(condition);
    control(condition);
    return taken;
}

bool path_builder::assume(const operand_value& condition) {
    if (values().is_constant(condition.e)) return !(values().constant_of(condition.e) == value{});
    for (const assumption& a : path_.assumed)
        if (a.condition == condition.e) return a.holds;
    path_.assumed.push_back({condition.e, true});
    return true;
}

bool path_builder::choose() {
    if (next_decision_ == decisions_.size()) decisions_.push_back(true);
    return decisions_[next_decision_++];
}

void path_builder::went_back(std::size_t target, bool counted) {
    ++backwards_;
    round& r = rounds_[target];
    const bool known = !counted && r.choices == choices_;
    r.choices = choices_;
    if (!known && ++r.times > program_.unroll) throw path_too_long{};
}

void find_paths(program& p, int thread, const std::function<void(path_builder&)>& execute) {
    std::vector<path>& found = p.threads[static_cast<std::size_t>(thread)];
    std::vector<bool> decisions;
    // Paths are kept with their events: memory, too, has an end.
    constexpr std::size_t most_events = 1 << 17;
    std::size_t tried = 0, events = 0;
    do {
        if (++tried > most_paths || events > most_events) throw too_many_paths{};
        path_builder builder(p, thread, decisions);
        try {
            execute(builder);
            found.push_back(builder.take());
            events += found.back().events.size();
        } catch (const path_ends&) {
        } catch (const path_too_long&) {
            p.bounded = true;
        }
        while (!decisions.empty() && !decisions.back()) decisions.pop_back();
        if (!decisions.empty()) decisions.back() = false;
    } while (!decisions.empty());
}

namespace {

/// Of a value of this type; 0 if the test does not say.
int bytes_of(const std::string& type) {
    const auto has = [&](const char* word) { return type.find(word) != std::string::npos; };
    if (type.empty()) return 0;
    if (has("*") || has("64") || has("long") || has("ptr") || has("size_t")) return 8;
    if (has("128")) return 16;
    if (has("16") || has("short")) return 2;
    if (has("int8") || has("char")) return 1;
    return 4;
}

/// Of one or two bytes, as their loads and stores keep them: without a sign.
std::int64_t kept(std::int64_t n, int bytes) { return bytes == 1 ? n & 0xff : bytes == 2 ? n & 0xffff : n; }

/// The first element is at the array's own address, and has its place in the list.
void place_array(program& p, const init_entry& entry) {
    const int bytes = bytes_of(entry.type);
    const std::int64_t stride = p.stride ? p.stride : bytes;
    std::int32_t array = -1;
    for (std::size_t i = 0; i < entry.elements.size(); ++i) {
        const std::int32_t l = p.location_index(element_name(entry.where.name, i));
        if (i == 0) array = l;
        p.placed[static_cast<std::size_t>(l)] = {array, static_cast<std::int64_t>(i) * stride, bytes, true};
        p.initial[static_cast<std::size_t>(l)] = {kept(entry.elements[i], bytes), -1};
    }
    p.arrays[entry.where.name] = array;
}

value initial_value(program& p, const init_entry& entry) {
    return entry.symbol.empty() ? value{entry.number, -1} : p.address(p.location_index(entry.symbol));
}

} // namespace

void set_initial_state(program& p, const test& t) {
    for (const init_entry& entry : t.init)
        if (!entry.elements.empty()) place_array(p, entry);
    for (const init_entry& entry : t.init) {
        if (!entry.elements.empty()) continue;
        if (entry.where.is_register()) {
            if (!entry.symbol.empty()) p.location_index(entry.symbol);
            p.register_bytes[{entry.where.thread, p.canonical_register
                                                      ? p.canonical_register(entry.where.name)
                                                      : entry.where.name}] = bytes_of(entry.type);
            continue;
        }
        const std::int32_t where = p.location_index(entry.where.name);
        value v = initial_value(p, entry);
        if (!v.is_address()) v.number = kept(v.number, bytes_of(entry.type));
        p.initial[static_cast<std::size_t>(where)] = v;
        auto& placed = p.placed[static_cast<std::size_t>(where)];
        if (!placed.element) placed.bytes = bytes_of(entry.type);
    }
}

operand_value initial_register(program& p, const init_entry& entry) {
    return {p.values->constant(initial_value(p, entry)), 0, 0};
}

} // namespace ringproof::litmus
