// SPDX-License-Identifier: Apache-2.0
#pragma once
// LINEARIZABLE states that a structure is one: the checker makes the clients, and asks no specification.
//
//     LINEARIZABLE("my queue", .models = {rc11, sc}, .threads = 2, .calls = 2) {
//         object<my_queue<int>>(2)
//             .op("push", &my_queue<int>::try_push, fresh())
//             .op("pop", &my_queue<int>::try_pop);
//     }
//
// Every client of up to `threads` threads of up to `calls` calls is explored as a scenario is. At the end of each execution
// some order of the calls has to give each call the result that it returned, when the structure is called in that order
// by a single thread; and a call comes behind each call whose return happens before it.

#include "check.hpp"
#include "linear.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <pthread.h>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ringproof::verify::linear {

/// The arguments an operation is called with: each makes another kind of call.
template <class... Values>
std::vector<std::int64_t> values(Values... all) {
    return {static_cast<std::int64_t>(all)...};
}
/// An argument that no other call of the client has: for structures that do not look at their values.
struct fresh {};

/// @cond
namespace detail {

template <class Function>
struct signature : signature<decltype(&Function::operator())> {};
template <class R, class... A>
struct signature<R (*)(A...)> {
    using result = R;
    using arguments = std::tuple<A...>;
};
template <class R, class... A>
struct signature<R (*)(A...) noexcept> : signature<R (*)(A...)> {};
// A member of the structure takes no object; a function object takes it first.
template <class R, class C, class... A>
struct signature<R (C::*)(A...)> : signature<R (*)(A...)> {};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) const> : signature<R (*)(A...)> {};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) noexcept> : signature<R (*)(A...)> {};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) const noexcept> : signature<R (*)(A...)> {};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
/// Something the operation fills in.
template <class A>
inline constexpr bool is_output =
    std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>;

template <class R>
answer to_answer(const R& result) {
    if constexpr (is_optional<R>)
        return {result.has_value(), result ? static_cast<std::int64_t>(*result) : 0};
    else
        return {static_cast<std::int64_t>(result), 0};
}

template <class R>
constexpr answer_form form_of(bool has_output) {
    if (has_output || is_optional<R>) return answer_form::optional;
    if (std::is_void_v<R>) return answer_form::nothing;
    return std::is_same_v<R, bool> ? answer_form::success : answer_form::value;
}

template <class... A>
constexpr bool has_output(std::tuple<A...>*) {
    return (false || ... || is_output<A>);
}

/// Calls `f`, which takes an argument or none, and fills in one value or none.
template <class R, class... A, class Function>
answer call(Function f, std::tuple<A...>*, std::int64_t argument) {
    constexpr std::size_t outputs = (0 + ... + is_output<A>);
    static_assert(sizeof...(A) - outputs <= 1 && outputs <= 1,
                  "an operation takes one argument at most, and fills in one value at most: "
                  "give a function `[](my_queue& q, int v) { … }` that calls it");
    answer given;
    if constexpr (outputs == 0) {
        if constexpr (std::is_void_v<R>)
            f(static_cast<std::decay_t<A>>(argument)...);
        else
            given = to_answer<R>(f(static_cast<std::decay_t<A>>(argument)...));
    } else {
        std::tuple<std::decay_t<A>...> all{static_cast<std::decay_t<A>>(argument)...};
        if constexpr (std::is_void_v<R>)
            std::apply(f, all);
        else
            given = to_answer<R>(std::apply(f, all));
        const auto take = [&]<class B>(std::type_identity<B>, const auto& v) {
            if constexpr (is_output<B>) given.second = given.first ? static_cast<std::int64_t>(v) : 0;
        };
        std::apply([&](const auto&... v) { (take(std::type_identity<A>{}, v), ...); }, all);
    }
    return given;
}

/// The types of the arguments that are left for a caller who gives the object.
template <class First, class... Rest>
std::tuple<Rest...>* without_first(std::tuple<First, Rest...>*) {
    return nullptr;
}
template <class Function>
auto* arguments_of() {
    using all = typename signature<Function>::arguments;
    if constexpr (std::is_member_function_pointer_v<Function>)
        return static_cast<all*>(nullptr);
    else
        return without_first(static_cast<all*>(nullptr));
}

/// What a factory returns is made in place, whether or not it can be moved.
template <class Object, class Make>
struct made {
    explicit made(const Make& make) : object(make()) {}
    Object object;
};

/// The same, and never destroyed: destructors are not written for what a thread leaves that stopped in the middle of a call.
template <class Object, class Make>
union made_for_ever {
    explicit made_for_ever(const Make& make) : structure(make) {}
    ~made_for_ever() {}
    made<Object, Make> structure;
};

/// What one thread of a client does.
inline void run_thread(const test& t, unsigned number, unsigned client, unsigned self, void* object,
                       history_of_thread& notes, std::atomic<unsigned>& returned, std::atomic<bool>* set) {
    // On its own stack as long as it runs: what it writes to main's is looked at for races, and kept in each saved state.
    history_of_thread mine;
    mine.thread = thread_number();
    const unsigned n = calls(number, client, self);
    for (unsigned k = 0; k < n; ++k) {
        const client_call what = call_at(number, client, self, k);
        for (unsigned w = 0; w < max_waits; ++w)
            if ((what.waits_for >> w & 1) != 0)
                while (!set[w].load(std::memory_order_acquire)) pause();
        record& r = mine.calls[k];
        r.known = known_here();
        r.given = t.operations[what.operation].invoke(object, argument_at(number, client, self, k));
        // An event that no other thread reads: it marks the return, and no reduction goes across it.
        returned.store(k + 1, std::memory_order_release);
        r.returned = latest_event();
        for (unsigned w = 0; w < max_waits; ++w)
            if ((what.sets >> w & 1) != 0) set[w].store(true, std::memory_order_release);
    }
    notes = mine;
}

template <class Object, class Make>
void run_client(const test& t, unsigned number, unsigned client, const Make& make) {
    history_of_thread notes[max_threads];
    std::atomic<unsigned> returned[max_threads] = {};
    std::atomic<bool> set[max_waits] = {};
    made<Object, Make> structure(make);
    const unsigned others = threads(number, client) - 1;
    const auto run = [&](unsigned i) {
        run_thread(t, number, client, i, &structure.object, notes[i], returned[i], set);
    };
    std::thread running[max_threads - 1];
    for (unsigned i = 0; i < others; ++i) running[i] = std::thread(run, i);
    run(others);
    for (unsigned i = 0; i < others; ++i) running[i].join();
    check(number, client, notes);
}

/// What the threads of a client that make the same calls are given: the same, for they are alike to the search.
struct alike_threads {
    const test* of;
    unsigned number, client;
    void* object;
    before_calls before;
    calls_of_thread* notes;
};

inline void* run_alike_thread(void* given) {
    const auto& g = *static_cast<const alike_threads*>(given);
    const unsigned self = own_place(g.before);
    calls_of_thread& notes = g.notes[self];
    notes.thread = thread_number();
    // Its own: events that no other thread reads. Volatile, or clang leaves them out: then a call ends with its own last
    // access, which psc does not order before those of the next call (in_all.cpp).
    volatile std::atomic<unsigned> returned{0}, begun{0};
    const unsigned n = calls(g.number, g.client, self);
    for (unsigned k = 0; k < n; ++k) {
        if (k != 0) begun.store(k, std::memory_order_release);
        noted_call& noted = notes.calls[k];
        noted.begun = latest_event();
        const operation& o = g.of->operations[call_at(g.number, g.client, self, k).operation];
        noted.given = o.invoke(g.object, argument_at(g.number, g.client, self, k));
        returned.store(k + 1, std::memory_order_release); // marks the return, and no reduction goes across it
        noted.returned = latest_event();
    }
    note_made_calls();
    return nullptr;
}

/// The client that stands for all that make its calls: each call has a thread of its own.
template <class Object, class Make>
void run_in_all(const test& t, unsigned number, unsigned client, const Make& make) {
    calls_of_thread notes[max_in_all];
    alike_threads given[max_in_all];
    pthread_t running[max_in_all];
    made<Object, Make> structure(make);
    const unsigned n = threads(number, client);
    const before_calls before = note_before_calls();
    for (unsigned i = 0; i < n; ++i) given[i] = {&t, number, client, &structure.object, before, notes};
    for (unsigned i = 0; i < n; ++i)
        pthread_create(&running[i], nullptr, run_alike_thread, &given[first_alike(number, client, i)]);
    for (unsigned i = 0; i < n; ++i) pthread_join(running[i], nullptr);
    check_in_all(number, client, before, notes);
}

/// The client of a promise of progress. Main makes no call, since it has to see who returns.
template <class Object, class Make>
void run_stoppable(const test& t, unsigned number, unsigned client, const Make& make) {
    made_for_ever<Object, Make> kept(make);
    const unsigned n = threads(number, client), survivor = any_survivor(number, client);
    const auto run = [&](unsigned self) {
        begin_calls(number, self == survivor);
        for (unsigned k = 0; k < calls(number, client, self); ++k) {
            const client_call what = call_at(number, client, self, k);
            const std::int64_t with = argument_at(number, client, self, k);
            begin_call(number);
            t.operations[what.operation].invoke(&kept.structure.object, with);
        }
        end_calls();
    };
    std::thread running[max_threads];
    for (unsigned i = 0; i < n; ++i) running[i] = std::thread(run, i);
    for (unsigned i = 0; i < n; ++i) running[i].join();
    note_returned();
}

template <class Object, class Make>
void run_alone(const test& t, made_call* calls, std::size_t n, const Make& make) {
    made<Object, Make> structure(make);
    for (std::size_t i = 0; i < n; ++i)
        calls[i].given = t.operations[calls[i].operation].invoke(&structure.object, calls[i].argument);
}

} // namespace detail
/// @endcond

/// The structure of a test: gets its operations one after the other.
template <class Object, class Specification = void>
class structure {
  public:
    explicit structure(test& t) : test_(t) {}

    /// An operation: a member function, or a function that takes the object and then what the operation takes.
    template <class Function>
    structure& op(const char* name, Function f, std::vector<std::int64_t> arguments = {}) {
        static_assert(std::is_void_v<Specification>,
                      "say what the specification makes of it: op(name, function, specification, …)");
        add(name, f, std::move(arguments), false);
        return *this;
    }
    template <class Function>
    structure& op(const char* name, Function f, fresh) {
        static_assert(std::is_void_v<Specification>,
                      "say what the specification makes of it: op(name, function, specification, …)");
        add(name, f, {}, true);
        return *this;
    }
    /// The same, and which calls of it the specification allows: `bool (Specification&, const made_call&)`.
    template <class Function, class S = Specification, std::enable_if_t<!std::is_void_v<S>, int> = 0>
    structure& op(const char* name, Function f, bool (S::*rule)(const made_call&),
                  std::vector<std::int64_t> arguments = {}) {
        add(name, f, std::move(arguments), false);
        add_rule(rule);
        return *this;
    }
    template <class Function, class S = Specification, std::enable_if_t<!std::is_void_v<S>, int> = 0>
    structure& op(const char* name, Function f, bool (S::*rule)(const made_call&), fresh) {
        add(name, f, {}, true);
        add_rule(rule);
        return *this;
    }
    /// The operation before may say "no" for no other reason than that a call of another thread is under way.
    structure& may_fail() {
        test_.operations.back().may_fail = true;
        return *this;
    }
    /// Only one thread of a client calls the operation before: a single producer's, say.
    structure& one_thread() {
        test_.operations.back().one_thread = true;
        return *this;
    }
    /// The same, and it is the thread that calls the operation named before this one: an owner.
    structure& same_thread() {
        test_.operations.back().one_thread = test_.operations.back().with_previous = true;
        return *this;
    }
    /// Compares with `S`, a class that can be copied, instead of with the structure run alone.
    template <class S>
    structure<Object, S> like() {
        return structure<Object, S>(test_);
    }

  private:
    template <class Function>
    void add(const char* name, Function f, std::vector<std::int64_t> arguments, bool is_fresh) {
        using result = typename detail::signature<Function>::result;
        const auto call_it = [f](void* object, std::int64_t argument) {
            return detail::call<result>(
                [&](auto&&... a) -> decltype(auto) {
                    return std::invoke(f, *static_cast<Object*>(object), std::forward<decltype(a)>(a)...);
                },
                detail::arguments_of<Function>(), argument);
        };
        operation o;
        o.name = name;
        o.arguments = std::move(arguments);
        o.fresh = is_fresh;
        o.form = detail::form_of<result>(detail::has_output(detail::arguments_of<Function>()));
        o.invoke = call_it;
        test_.operations.push_back(std::move(o));
    }
    template <class S>
    void add_rule(bool (S::*rule)(const made_call&)) {
        rules_.push_back(rule);
        test_.allows = [rules = rules_](const made_call* calls, std::size_t n) {
            S state;
            bool allowed = true;
            for (std::size_t i = 0; i < n && allowed; ++i)
                allowed = (state.*rules[calls[i].operation])(calls[i]);
            return allowed;
        };
    }

    struct none {
        using rule = int;
    };
    template <class S>
    struct rules_of {
        using rule = bool (S::*)(const made_call&);
    };
    test& test_;
    std::vector<
        typename std::conditional_t<std::is_void_v<Specification>, none, rules_of<Specification>>::rule>
        rules_;
};

/// What the body of LINEARIZABLE is a member of.
class description {
  protected:
    using fresh = linear::fresh;
    template <class... Values>
    static std::vector<std::int64_t> values(Values... all) {
        return linear::values(all...);
    }
    /// The structure, made with these arguments for each execution.
    template <class Object, class... Arguments>
    structure<Object> object(Arguments... arguments) {
        return object_from([arguments...] { return Object(arguments...); });
    }
    /// The structure that `make` returns.
    template <class Make>
    auto object_from(Make make) {
        using Object = std::invoke_result_t<Make>;
        test_.run = [make](const test& t, unsigned number, unsigned client) {
            if (is_of_progress(t.options.promise))
                detail::run_stoppable<Object>(t, number, client, make);
            else if (t.options.in_all != 0)
                detail::run_in_all<Object>(t, number, client, make);
            else
                detail::run_client<Object>(t, number, client, make);
        };
        test_.alone = [make](const test& t, made_call* calls, std::size_t n) {
            detail::run_alone<Object>(t, calls, n, make);
        };
        return structure<Object>(test_);
    }

    template <class Description>
    static unsigned describe_and_add(const char* name, linear_options options, void (*body)(),
                                     const char* file, int line) {
        auto* const d = new Description; // as long as the program
        d->test_.name = name;
        d->test_.options = std::move(options);
        d->describe();
        main_names_scenarios(); // where `ringproof check` is given the file: not its main() is what is checked
        return add(&d->test_, body, file, line);
    }
    static void explore(unsigned number) {
        const test& t = find(number);
        t.run(t, number, any_client(number));
    }

  private:
    test test_;
};

} // namespace ringproof::verify::linear

#define RINGPROOF_LINEARIZABLE_DEFINE(type, scenario_name, ...)                                              \
    namespace {                                                                                              \
    struct type : ::ringproof::verify::linear::description {                                                 \
        void describe();                                                                                     \
        static void body() { explore(number); }                                                              \
        static ::ringproof::verify::linear::linear_options options() {                                       \
            using enum ::ringproof::verify::memory_model;                                                    \
            using enum ::ringproof::verify::verdict;                                                         \
            using enum ::ringproof::verify::linear::promise;                                                 \
            return {__VA_ARGS__};                                                                            \
        }                                                                                                    \
        static const unsigned number;                                                                        \
    };                                                                                                       \
    const unsigned type::number =                                                                            \
        type::describe_and_add<type>(scenario_name, options(), &type::body, __FILE__, __LINE__);             \
    }                                                                                                        \
    void type::describe()

/// `LINEARIZABLE("name", options…) { object<…>(…).op(…)…; }`: options are designated initialisers of linear_options.
#define LINEARIZABLE(...)                                                                                    \
    RINGPROOF_LINEARIZABLE_DEFINE(RINGPROOF_VERIFY_CONCAT(ringproof_linearizable_, __COUNTER__),             \
                                  __VA_ARGS__, )
