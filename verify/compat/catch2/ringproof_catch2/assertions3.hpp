// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// What Catch2 (version 3) asks of a run: what becomes of an assertion, and whether a SECTION is entered.

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

#if CATCH_VERSION_MAJOR == 3 && CATCH_VERSION_MINOR < 4
#error "--dialect catch2 needs Catch2 2.13, or 3.4 and later (Debian 13: catch2)"
#endif

#include "failures.hpp"

#include <cstdlib>

namespace ringproof::verify::catch2 {

/// The framework's settings: those of a run without options.
class settings final : public Catch::IConfig {
  public:
    bool allowThrows() const override { return true; }
    Catch::StringRef name() const override { return {}; }
    bool includeSuccessfulResults() const override { return false; }
    bool shouldDebugBreak() const override { return false; }
    bool warnAboutMissingAssertions() const override { return false; }
    bool warnAboutUnmatchedTestSpecs() const override { return false; }
    bool zeroTestsCountAsSuccess() const override { return false; }
    int abortAfter() const override { return 0; }
    bool showInvisibles() const override { return false; }
    Catch::ShowDurations showDurations() const override { return Catch::ShowDurations::Never; }
    double minDuration() const override { return -1; }
    // The header only declares what it would return; the session asks for it, which runs no test here.
    Catch::TestSpec const& testSpec() const override { std::abort(); }
    bool hasTestFilters() const override { return false; }
    std::vector<std::string> const& getTestsOrTags() const override { return empty_; }
    Catch::TestRunOrder runOrder() const override { return Catch::TestRunOrder::Declared; }
    std::uint32_t rngSeed() const override { return 0; }
    unsigned int shardCount() const override { return 1; }
    unsigned int shardIndex() const override { return 0; }
    Catch::ColourMode defaultColourMode() const override { return Catch::ColourMode::None; }
    std::vector<std::string> const& getSectionsToRun() const override { return empty_; }
    Catch::Verbosity verbosity() const override { return Catch::Verbosity::Quiet; }
    bool skipBenchmarks() const override { return true; }
    bool benchmarkNoAnalysis() const override { return true; }
    unsigned int benchmarkSamples() const override { return 0; }
    double benchmarkConfidenceInterval() const override { return 0; }
    unsigned int benchmarkResamples() const override { return 0; }
    std::chrono::milliseconds benchmarkWarmupTime() const override { return {}; }

  private:
    std::vector<std::string> empty_;
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

/// The answers to a test case that is running. What is not marked `override` is not the same in all versions.
class answers final : public Catch::IResultCapture {
  public:
    void begin(const std::vector<unsigned>& ways) { walk_.begin(ways); }
    /// The path that was taken, with the number of ways at each of its branches.
    const path& end() {
        for (const auto& v : values_) v->count();
        return walk_.taken();
    }
    const path& taken() const { return walk_.taken(); }

    void notifyAssertionStarted(Catch::AssertionInfo const&) override {}
    bool sectionStarted(Catch::StringRef name, Catch::SourceLineInfo const& where, Catch::Counts&) override {
        return walk_.enters(where.line, std::string(name));
    }
    void sectionEnded(Catch::SectionEndInfo&&) override { walk_.leave_section(); }
    void sectionEndedEarly(Catch::SectionEndInfo&&) override { walk_.leave_section(); }
    Catch::IGeneratorTracker* acquireGeneratorTracker(Catch::StringRef name,
                                                      Catch::SourceLineInfo const&) override {
        if (walk_.has_left()) refuse(generate_behind_section);
        for (const auto& v : values_)
            if (v->is_of(name)) return v.get(); // in a loop: the same value
        return nullptr;
    }
    Catch::IGeneratorTracker* createGeneratorTracker(Catch::StringRef name, Catch::SourceLineInfo where,
                                                     value_of_path::generator&& values) override {
        values_.push_back(std::make_unique<value_of_path>(walk_, name, where.line, std::move(values)));
        return values_.back().get();
    }

    void handleExpr(Catch::AssertionInfo const& asked, Catch::ITransientExpression const& expression,
                    Catch::AssertionReaction&) override {
        failures_.judge(asked, expression);
    }
    virtual void handleMessage(Catch::AssertionInfo const& asked, Catch::ResultWas::OfType result,
                               std::string&& message, Catch::AssertionReaction& reaction) {
        judge_message(asked, result, message, reaction);
    }
    virtual void handleMessage(Catch::AssertionInfo const& asked, Catch::ResultWas::OfType result,
                               Catch::StringRef message, Catch::AssertionReaction& reaction) {
        judge_message(asked, result, std::string(message), reaction);
    }
    void handleUnexpectedExceptionNotThrown(Catch::AssertionInfo const& asked,
                                            Catch::AssertionReaction&) override {
        failures_.fail(asked, "no exception was thrown where one was expected");
    }
    void handleUnexpectedInflightException(Catch::AssertionInfo const& asked, std::string&& message,
                                           Catch::AssertionReaction&) override {
        failures_.fail(asked, "an exception was thrown: " + message);
    }
    void handleNonExpr(Catch::AssertionInfo const& asked, Catch::ResultWas::OfType result,
                       Catch::AssertionReaction&) override {
        if (Catch::isOk(result)) return failures::pass();
        failures_.fail(asked, "an exception was thrown, or none where one was expected");
    }
    void handleIncomplete(Catch::AssertionInfo const&) override {
    } // an exception leaves it, and is judged itself
    void handleFatalErrorCondition(Catch::StringRef message) override {
        refute(std::string(message).c_str());
    }

    void pushScopedMessage(Catch::MessageInfo const& message) override {
        failures::messages().push_back(message);
    }
    void popScopedMessage(Catch::MessageInfo const& message) override {
        std::erase(failures::messages(), message);
    }
    void emplaceUnscopedMessage(Catch::MessageBuilder&& builder) override {
        failures::messages().push_back(builder.m_info);
        failures::messages().back().message = builder.m_stream.str();
    }
    bool lastAssertionPassed() override { return failures::passed(); }
    void assertionPassed() override { failures::pass(); }
    std::string getCurrentTestName() const override { return walk_.taken().name; }
    const Catch::AssertionResult* getLastResult() const override { return nullptr; }
    void exceptionEarlyReported() override {}
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
    failures failures_;
    walk& walk_ = failures_.path_taken();
    std::vector<std::unique_ptr<value_of_path>> values_;
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
