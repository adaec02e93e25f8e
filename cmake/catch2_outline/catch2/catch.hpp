// SPDX-License-Identifier: Apache-2.0
#pragma once
// The outline of Catch2 for tools/tidy: the same words, nothing behind them. The real header makes clang-tidy take twice
// as long, and counts each CHECK as two loops of its own.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace Catch {

struct outline_of_matcher {
    outline_of_matcher operator!() const { return {}; }
    outline_of_matcher operator&&(const outline_of_matcher&) const { return {}; }
    outline_of_matcher operator||(const outline_of_matcher&) const { return {}; }
};
enum class CaseSensitive { Yes, No }; // NOLINT(readability-identifier-naming)

namespace Matchers {
template <class... Values>
outline_of_matcher Contains(const Values&...) {
    return {};
}
template <class... Values>
outline_of_matcher StartsWith(const Values&...) {
    return {};
}
template <class... Values>
outline_of_matcher EndsWith(const Values&...) {
    return {};
}
template <class... Values>
outline_of_matcher Matches(const Values&...) {
    return {};
}
template <class... Values>
outline_of_matcher Equals(const Values&...) {
    return {};
}
template <class... Values>
outline_of_matcher Message(const Values&...) {
    return {};
}
template <class... Values>
outline_of_matcher VectorContains(const Values&...) {
    return {};
}
template <class Value, class Test>
outline_of_matcher Predicate(const Test&, const std::string& = {}) {
    return {};
}
} // namespace Matchers
using Matchers::Contains;
using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::Message;
using Matchers::Predicate;
using Matchers::StartsWith;

template <class Value>
struct StringMaker;
struct outline_of_number {
    explicit outline_of_number(double value) : value_(value) {}
    outline_of_number& margin(double) { return *this; }
    outline_of_number& epsilon(double) { return *this; }
    friend bool operator==(double a, const outline_of_number& b) { return a == b.value_; }

  private:
    double value_;
};
using Approx = outline_of_number;
inline std::uint32_t rngSeed() { return 0; }

template <class... Values>
void outline_of_use(const Values&...) {}
namespace Generators {
template <class Value>
struct outline_of_values {
    Value first;
};
template <class Value>
outline_of_values<Value> values(std::initializer_list<Value> list) {
    return {*list.begin()};
}
template <class... Values>
outline_of_values<std::tuple<Values...>> table(std::initializer_list<std::tuple<Values...>> list) {
    return {*list.begin()};
}
template <class Value>
outline_of_values<Value> range(Value from, Value) {
    return {from};
}
template <class Value>
outline_of_values<Value> random(Value from, Value) {
    return {from};
}
template <class Value>
outline_of_values<Value> take(std::size_t, outline_of_values<Value> from) {
    return from;
}
template <class Value>
Value outline_of_choice(outline_of_values<Value> from) {
    return from.first;
}
template <class Value, class... Others>
Value outline_of_choice(Value first, const Others&...) {
    return first;
}
} // namespace Generators

} // namespace Catch
using Catch::Approx;

#define RINGPROOF_JOIN_2(a, b) a##b
#define RINGPROOF_JOIN(a, b) RINGPROOF_JOIN_2(a, b)
#define TEST_CASE(...) static void RINGPROOF_JOIN(test_at_line_, __LINE__)()
#define TEMPLATE_TEST_CASE(name, tags, ...)                                                                  \
    template <class TestType>                                                                                \
    static void RINGPROOF_JOIN(test_at_line_, __LINE__)();                                                   \
    template <class TestType>                                                                                \
    static void RINGPROOF_JOIN(test_at_line_, __LINE__)()
#define SECTION(...) if (true)
#define CHECK(...) static_cast<void>(static_cast<bool>(__VA_ARGS__))
#define REQUIRE(...) static_cast<void>(static_cast<bool>(__VA_ARGS__))
#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__)
#define STATIC_REQUIRE_FALSE(...) static_assert(!(__VA_ARGS__))
#define CHECK_FALSE(...) static_cast<void>(!(__VA_ARGS__))
#define REQUIRE_FALSE(...) static_cast<void>(!(__VA_ARGS__))
#define CHECK_NOFAIL(...) static_cast<void>(static_cast<bool>(__VA_ARGS__))
#define CHECK_THAT(what, ...) Catch::outline_of_use(what, __VA_ARGS__)
#define REQUIRE_THAT(what, ...) Catch::outline_of_use(what, __VA_ARGS__)
#define CHECK_THROWS(...) static_cast<void>(__VA_ARGS__)
#define CHECK_NOTHROW(...) static_cast<void>(__VA_ARGS__)
#define REQUIRE_NOTHROW(...) static_cast<void>(__VA_ARGS__)
#define CHECK_THROWS_AS(what, type) static_cast<void>(what)
#define REQUIRE_THROWS_AS(what, type) static_cast<void>(what)
#define CHECK_THROWS_WITH(what, ...) (static_cast<void>(what), Catch::outline_of_use(__VA_ARGS__))
#define CHECK_THROWS_MATCHES(what, type, ...) (static_cast<void>(what), Catch::outline_of_use(__VA_ARGS__))
#define CAPTURE(...) Catch::outline_of_use(__VA_ARGS__)
#define INFO(...) static_cast<void>(std::ostringstream() << __VA_ARGS__)
#define UNSCOPED_INFO(...) static_cast<void>(std::ostringstream() << __VA_ARGS__)
#define WARN(...) static_cast<void>(std::ostringstream() << __VA_ARGS__)
#define FAIL(...) static_cast<void>(std::ostringstream() __VA_OPT__(<< __VA_ARGS__))
#define SUCCEED(...) static_cast<void>(0)
#define GENERATE(...)                                                                                        \
    [&] {                                                                                                    \
        using namespace Catch::Generators;                                                                   \
        return outline_of_choice(__VA_ARGS__);                                                               \
    }()
#define GENERATE_COPY(...) GENERATE(__VA_ARGS__)
#define GENERATE_REF(...) GENERATE(__VA_ARGS__)
