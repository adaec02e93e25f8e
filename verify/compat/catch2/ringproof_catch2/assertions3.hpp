// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// What Catch2 (version 3) asks of a run: what becomes of an assertion, and whether a SECTION is entered.

#ifndef CATCH_AMALGAMATED_HPP_INCLUDED // the form in two files has all of it
#include <catch2/catch_assertion_info.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_version_macros.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>
#include <catch2/interfaces/catch_interfaces_config.hpp>
#include <catch2/interfaces/catch_interfaces_generatortracker.hpp>
#include <catch2/interfaces/catch_interfaces_registry_hub.hpp>
#include <catch2/interfaces/catch_interfaces_testcase.hpp>
#include <catch2/internal/catch_context.hpp>
#include <catch2/internal/catch_decomposer.hpp>
#include <catch2/internal/catch_test_failure_exception.hpp>
#endif

#if CATCH_VERSION_MAJOR == 3 && CATCH_VERSION_MINOR < 4
#error "--dialect catch2 needs Catch2 2.13, or 3.4 and later (Debian 13: catch2)"
#endif

#include "answers.hpp"

namespace ringproof::verify::catch2 {

class settings final : public common_settings {
  public:
    Catch::StringRef name() const override { return {}; }
    bool warnAboutUnmatchedTestSpecs() const override { return false; }
    bool zeroTestsCountAsSuccess() const override { return false; }
    Catch::ShowDurations showDurations() const override { return Catch::ShowDurations::Never; }
    Catch::TestRunOrder runOrder() const override { return Catch::TestRunOrder::Declared; }
    std::uint32_t rngSeed() const override { return 0; }
    unsigned int shardCount() const override { return 1; }
    unsigned int shardIndex() const override { return 0; }
    Catch::ColourMode defaultColourMode() const override { return Catch::ColourMode::None; }
    bool skipBenchmarks() const override { return true; }
    unsigned int benchmarkSamples() const override { return 0; }
};

/// A GENERATE of this execution, with the value that its path takes.
class value_of_path final : public Catch::IGeneratorTracker {
  public:
    using generator = Catch::Generators::GeneratorBasePtr;
    value_of_path(walk& w, Catch::StringRef name, std::size_t line, generator&& values)
        : name_(name), walk_(w), at_(w.take_value(line)), generator_(std::move(values)) {
        for (unsigned i = 0; i < walk_.wanted(at_); ++i)
            if (!generator_->countedNext())
                refuse("a GENERATE of this test case has fewer values than before");
    }
    /// Catch2 makes a name for each GENERATE.
    bool is_of(Catch::StringRef name) const { return name == Catch::StringRef(name_); }
    bool hasGenerator() const override { return true; }
    generator const& getGenerator() const override { return generator_; }
    void setGenerator(generator&& values) override { generator_ = std::move(values); }
    void count() { walk_.set_ways(at_, walk_.wanted(at_) + 1u + (generator_->countedNext() ? 1u : 0u)); }

  private:
    std::string name_;
    walk& walk_;
    std::size_t at_;
    generator generator_;
};

/// What is not marked `override` is not the same in all versions.
class answers final : public common_answers<value_of_path> {
  public:
    void notifyAssertionStarted(Catch::AssertionInfo const&) override {}
    bool sectionStarted(Catch::StringRef name, Catch::SourceLineInfo const& where, Catch::Counts&) override {
        return walk_.enters(where.line, std::string(name));
    }
    void sectionEnded(Catch::SectionEndInfo&&) override { walk_.leave_section(); }
    void sectionEndedEarly(Catch::SectionEndInfo&&) override { walk_.leave_section(); }
    Catch::IGeneratorTracker* acquireGeneratorTracker(Catch::StringRef name,
                                                      Catch::SourceLineInfo const&) override {
        return met_before(name);
    }
    Catch::IGeneratorTracker* createGeneratorTracker(Catch::StringRef name, Catch::SourceLineInfo where,
                                                     value_of_path::generator&& values) override {
        return &meet(std::make_unique<value_of_path>(walk_, name, where.line, std::move(values)));
    }
    virtual void handleMessage(Catch::AssertionInfo const& asked, Catch::ResultWas::OfType result,
                               std::string&& message, Catch::AssertionReaction& reaction) {
        judge_message(asked, result, message, reaction);
    }
    virtual void handleMessage(Catch::AssertionInfo const& asked, Catch::ResultWas::OfType result,
                               Catch::StringRef message, Catch::AssertionReaction& reaction) {
        judge_message(asked, result, std::string(message), reaction);
    }
    void handleUnexpectedInflightException(Catch::AssertionInfo const& asked, std::string&& message,
                                           Catch::AssertionReaction&) override {
        threw(asked, message);
    }
    void emplaceUnscopedMessage(Catch::MessageBuilder&& builder) override { note_unscoped(builder); }
    void benchmarkPreparing(Catch::StringRef) override { refuse(no_benchmarks); }
    void benchmarkStarting(Catch::BenchmarkInfo const&) override {}
    void benchmarkEnded(Catch::BenchmarkStats<> const&) override {}
    void benchmarkFailed(Catch::StringRef) override {}

  private:
    void judge_message(const Catch::AssertionInfo& asked, Catch::ResultWas::OfType result,
                       const std::string& message, Catch::AssertionReaction& reaction) {
        if (result == Catch::ResultWas::ExplicitSkip)
            reaction.shouldSkip = true;
        else
            failures_.judge(asked, result, message);
    }

    static constexpr const char* no_benchmarks =
        "a BENCHMARK cannot be checked: leave it to the ordinary run";
};

// What runner.hpp asks of the version.
using test_case = Catch::TestCaseHandle;
inline const Catch::TestCaseInfo& info_of(const test_case& test) { return test.getTestCaseInfo(); }
/// SKIP() ends a test case, and is no failure.
template <class Test>
void invoke(const Test& test) {
    try {
        if constexpr (requires { test.prepareTestCase(); }) test.prepareTestCase();
        test.invoke();
    } catch (const Catch::TestSkipException&) {
        failures::pass();
    }
    if constexpr (requires { test.tearDownTestCase(); }) test.tearDownTestCase();
}
inline void answer_by(answers& a) {
    static const settings as_without_options;
    auto& context = Catch::getCurrentMutableContext();
    context.setResultCapture(&a);
    context.setConfig(&as_without_options);
}

} // namespace ringproof::verify::catch2
