// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// GoogleTest's own header, and each TEST as a scenario of its own. `ringproof check --dialect gtest FILE.cpp` finds this file
// before the framework's.
//
// main() of the program, or that of gtest_main, runs once and outside of the search. Its RUN_ALL_TESTS() comes here instead of
// to the framework (the linker's --wrap), and names the tests. Each execution of a scenario is then the framework's own run of
// one test: fixtures, environments, exceptions and skipped tests are its affair. A failure of EXPECT_ or ASSERT_ refutes
// where it happens.

#include_next <gtest/gtest.h>

#include <ringproof/verify/check.hpp>

#include <cstring>
#include <string>

namespace ringproof::verify::gtest {

/// The framework's answers, as the checker's.
class listener : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        std::string text;
        if (result.file_name()) // an exception that leaves a test has no place
            text = result.file_name() + (":" + std::to_string(result.line_number())) + ": ";
        for (const char* c = result.message(); *c != '\0'; ++c)
            text += *c == '\n' ? std::string("\n    ") : std::string(1, *c);
        refute(text.c_str());
    }
    void OnTestEnd(const testing::TestInfo&) override { evaluated(); }
};

inline bool is_disabled(const char* name) { return std::strncmp(name, "DISABLED_", 9) == 0; }

} // namespace ringproof::verify::gtest

extern "C" {
int __real__ZN7testing8UnitTest3RunEv(testing::UnitTest* all);
__attribute__((weak)) int __wrap__ZN7testing8UnitTest3RunEv(testing::UnitTest* all) {
    namespace verify = ringproof::verify;
    auto& listeners = all->listeners();
    delete listeners.Release(listeners.default_result_printer());
    delete listeners.Release(listeners.default_xml_generator());
    listeners.Append(new verify::gtest::listener);
    verify::scenario_options options;
    options.assumes = {"clock"}; // the framework measures how long a test takes
    for (int s = 0; s < all->total_test_suite_count(); ++s) {
        const testing::TestSuite& suite = *all->GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            const testing::TestInfo& test = *suite.GetTestInfo(t);
            if (verify::gtest::is_disabled(suite.name()) || verify::gtest::is_disabled(test.name())) continue;
            const std::string name = std::string(suite.name()) + "." + test.name();
            const auto run = [all, &test] {
                GTEST_FLAG_SET(filter, std::string(test.test_suite_name()) + "." + test.name());
                static_cast<void>(__real__ZN7testing8UnitTest3RunEv(all));
            };
            verify::name_scenario(name, run, options, test.file(), test.line());
        }
    }
    return 0;
}
}

namespace ringproof::verify::gtest {
/// Before main(): its tests are explored, not main() itself.
inline const bool tests_are_named = (main_names_scenarios(), true);
} // namespace ringproof::verify::gtest
