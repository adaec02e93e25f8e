// SPDX-License-Identifier: Apache-2.0
#include "unit.hpp"
#include "../frontend/c_syntax.hpp"
#include "../hardware/c_text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace ringproof::litmus::compiled {
namespace {

using skind = c::statement::kind;

// The builtins are what <stdatomic.h> is made of. With them the same text serves compilers that have no headers for
// their target, and a plain access of an atomic_int is a plain one, as it is in the models.
constexpr const char* c11_words = R"code(
typedef int atomic_int, atomic_bool, mutex_t;
typedef long atomic_long;
typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef unsigned short uint16_t;
typedef short int16_t;
typedef unsigned int uint32_t;
typedef int int32_t;
typedef unsigned long uint64_t, uintptr_t, atomic_uintptr_t, size_t;
typedef long int64_t, intptr_t, atomic_intptr_t;
#define bool _Bool
#define true 1
#define false 0
#define _Atomic
#define memory_order_relaxed __ATOMIC_RELAXED
#define memory_order_consume __ATOMIC_CONSUME
#define memory_order_acquire __ATOMIC_ACQUIRE
#define memory_order_release __ATOMIC_RELEASE
#define memory_order_acq_rel __ATOMIC_ACQ_REL
#define memory_order_seq_cst __ATOMIC_SEQ_CST
#define atomic_thread_fence(o) __atomic_thread_fence(o)
#define atomic_load_explicit(p, o) __atomic_load_n(p, o)
#define atomic_load(p) __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define atomic_store_explicit(p, v, o) __atomic_store_n(p, v, o)
#define atomic_store(p, v) __atomic_store_n(p, v, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(p, v, o) __atomic_exchange_n(p, v, o)
#define atomic_exchange(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_strong_explicit(p, e, d, s, f) \
    __atomic_compare_exchange_n(p, (__typeof__(*(p))*)(e), d, 0, s, f)
#define atomic_compare_exchange_weak_explicit(p, e, d, s, f) \
    __atomic_compare_exchange_n(p, (__typeof__(*(p))*)(e), d, 1, s, f)
#define atomic_compare_exchange_strong(p, e, d) \
    atomic_compare_exchange_strong_explicit(p, e, d, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_compare_exchange_weak(p, e, d) \
    atomic_compare_exchange_weak_explicit(p, e, d, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_fetch_add_explicit(p, v, o) __atomic_fetch_add(p, v, o)
#define atomic_fetch_sub_explicit(p, v, o) __atomic_fetch_sub(p, v, o)
#define atomic_fetch_and_explicit(p, v, o) __atomic_fetch_and(p, v, o)
#define atomic_fetch_or_explicit(p, v, o) __atomic_fetch_or(p, v, o)
#define atomic_fetch_xor_explicit(p, v, o) __atomic_fetch_xor(p, v, o)
#define atomic_fetch_add(p, v) __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_sub(p, v) __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_and(p, v) __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_or(p, v) __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_xor(p, v) __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST)
)code";

bool is_word(char one) { return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_'; }

std::string trimmed(std::string s) {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.pop_back();
    std::size_t begin = 0;
    while (begin < s.size() && std::isspace(static_cast<unsigned char>(s[begin]))) ++begin;
    return s.substr(begin);
}

/// Where `name` stands as a whole word, from `at` on.
std::size_t find_word(const std::string& text, const std::string& name, std::size_t at) {
    for (; (at = text.find(name, at)) != std::string::npos; ++at)
        if ((at == 0 || !is_word(text[at - 1])) &&
            (at + name.size() >= text.size() || !is_word(text[at + name.size()])))
            return at;
    return std::string::npos;
}

/// The type of a location in a machine's test, from its type in C.
std::string machine_type(const std::string& type) {
    if (type.find('*') != std::string::npos || is_wide(type)) return "int64_t";
    if (type.find("char") != std::string::npos || type.find("int8") != std::string::npos) return "int8_t";
    if (type.find("short") != std::string::npos || type.find("int16") != std::string::npos) return "int16_t";
    return "int";
}

/// A thread's body with its declarations moved to the top, since final states show the variables of inner blocks, too.
class body_text {
  public:
    body_text(const test& t, std::size_t thread)
        : text_(t.from.text), where_(t.threads[thread].at(0)), function_(c::parse_function(t, where_)) {
        walk(function_.body);
        for (const std::string& name : assigned_) types_.try_emplace(name, "int");
    }

    bool loops() const { return loops_; }
    /// Of a local variable; "" if there is none of that name.
    std::string type_of(const std::string& name) const {
        const auto at = types_.find(name);
        return at == types_.end() ? std::string() : at->second;
    }
    const std::map<std::string, std::string>& types() const { return types_; }

    /// The statements, without the braces around them.
    std::string statements() const {
        const std::size_t begin = text_.find('{', text_.find(')', where_.begin)) + 1,
                          end = text_.rfind('}', where_.end);
        std::string out;
        std::size_t at = begin;
        for (const auto& [from, to] : dropped_) {
            out += text_.substr(at, from - at);
            at = to;
        }
        return out + text_.substr(at, end - at);
    }

  private:
    void declare(const std::string& name, const std::string& type) {
        const auto [at, is_new] = types_.emplace(name, type);
        if (!is_new && at->second != type)
            throw not_compilable(fmt::format("'{}' is declared as '{}' and as '{}'", name, at->second, type));
    }

    void walk(const std::vector<c::statement>& body) {
        std::string base; // of the declaration that the statements of a block come from
        for (const c::statement& s : body) {
            loops_ = loops_ || s.what == skind::loop;
            if (s.what == skind::assign && s.left->what == c::expression::kind::name)
                assigned_.push_back(s.left->text);
            if (s.what == skind::declare) {
                const std::size_t name = find_word(text_, s.name, s.offset);
                std::string type = trimmed(text_.substr(s.offset, name - s.offset));
                if (type.empty() || type[0] == '*') type.insert(0, base); // int a, *b;
                base = type.substr(0, type.find('*'));
                if (base.starts_with("const ")) type = type.substr(6);
                declare(s.name, type);
                dropped_.emplace_back(s.offset, name);
            }
            walk(s.body);
            walk(s.otherwise);
        }
    }

    const std::string& text_;
    cell where_;
    c::function function_;
    std::map<std::string, std::string> types_;
    std::vector<std::string> assigned_;
    std::vector<std::pair<std::size_t, std::size_t>> dropped_; ///< in order
    bool loops_ = false;
};

class unit_writer {
  public:
    unit_writer(const test& t, std::size_t number) : test_(t), number_(number) {}

    unit write() {
        refuse_arrays(test_);
        for (const init_entry& e : test_.init)
            if (e.where.is_register())
                throw not_compilable("a register has an initial value: a compiler knows no such thing");
        shown_ = shown_locations(test_);
        if (shown_.empty())
            throw not_compilable(
                "its final states show nothing: name registers or locations in a condition, or in "
                "locations [...]");
        for (const init_entry& e : test_.init) types_[e.where.name] = e.type;
        for (std::size_t i = 0; i < test_.threads.size(); ++i) thread(i);
        for (const location& l : shown_)
            if (!l.is_register()) types_.try_emplace(l.name, "");
        for (const auto& [name, type] : types_) {
            location from;
            from.name = name;
            from.thread = -1;
            const bool shown = std::find(shown_.begin(), shown_.end(), from) != shown_.end();
            unit_.variables.push_back({name, machine_type(type), from, shown});
        }
        for (shared_variable& v : registers_) {
            if (types_.count(v.name) != 0)
                throw not_compilable(fmt::format("a location is called '{}': rename it", v.name));
            unit_.variables.push_back(std::move(v));
        }
        unit_.threads = test_.threads.size();
        return std::move(unit_);
    }

  private:
    void thread(std::size_t index) {
        const thread_text text = read_thread(test_, index);
        const body_text body(test_, index);
        unit_.loops = unit_.loops || body.loops();
        std::string parameters, declarations, results;
        for (const std::string& one : text.parameters) {
            const std::string name = last_word(one);
            const std::size_t star = one.rfind('*');
            if (star == std::string::npos || name.empty())
                throw not_compilable(fmt::format("the parameter '{}' is no pointer to a location", one));
            const std::string type = trimmed(one.substr(0, star));
            if (std::string& known = types_[name]; known.empty()) known = type;
            if (declared_.insert({name, type}).second)
                declarations += fmt::format("extern {} {};\n", type, symbol(number_, name));
            parameters += fmt::format("    {} = ({}*)&{};\n", one, type, symbol(number_, name));
        }
        for (const auto& [name, type] : body.types())
            parameters += fmt::format("    {} {} = 0;\n", type, name);
        for (const location& l : shown_) {
            if (l.thread != static_cast<int>(index)) continue;
            const std::string type = body.type_of(l.name);
            if (type.empty())
                throw not_compilable(fmt::format("thread {} gives '{}' no value", index, l.name));
            const bool wide = machine_type(type) == "int64_t";
            const std::string name = fmt::format("P{}_{}", index, l.name);
            registers_.push_back({name, wide ? "int64_t" : "int", l, true});
            declarations += fmt::format("extern {} {};\n", wide ? "long" : "int", symbol(number_, name));
            results += fmt::format("    {} = {}{};\n", symbol(number_, name), wide ? "(long)" : "", l.name);
        }
        unit_.text +=
            fmt::format("{}void {}(void) {{\n{}{}\n{}}}\n", declarations,
                        symbol(number_, fmt::format("P{}", index)), parameters, body.statements(), results);
    }

    const test& test_;
    std::size_t number_;
    unit unit_;
    std::vector<location> shown_;
    std::map<std::string, std::string> types_;    ///< of locations, in C
    std::map<std::string, std::string> declared_; ///< to the compiler: a location has one type
    std::vector<shared_variable> registers_;
};

} // namespace

std::string symbol(std::size_t test, const std::string& name) { return fmt::format("rp{}_{}", test, name); }

unit make_unit(const test& t, std::size_t number) { return unit_writer(t, number).write(); }

std::string words(bool linux_kernel) { return linux_kernel ? kernel_words() : c11_words; }

} // namespace ringproof::litmus::compiled
