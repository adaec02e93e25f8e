// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// What Catch2 (version 2) asks of a run: what becomes of an assertion, and whether a SECTION is entered.

#include "failures.hpp"

namespace ringproof::verify::catch2 {

/// The framework's settings: those of a run without options.
class settings final : public Catch::IConfig {
  public:
    bool allowThrows() const override { return true; }
    std::ostream& stream() const override { return none_; }
    std::string name() const override { return {}; }
    bool includeSuccessfulResults() const override { return false; }
    bool shouldDebugBreak() const override { return false; }
    bool warnAboutMissingAssertions() const override { return false; }
    bool warnAboutNoTests() const override { return false; }
    int abortAfter() const override { return 0; }
    bool showInvisibles() const override { return false; }
    Catch::ShowDurations::OrNot showDurations() const override { return Catch::ShowDurations::Never; }
    double minDuration() const override { return -1; }
    // What it would return is a type that Catch2's header only declares; its session asks for it, which does not run here.
    Catch::TestSpec const& testSpec() const override { std::abort(); }
    bool hasTestFilters() const override { return false; }
    std::vector<std::string> const& getTestsOrTags() const override { return empty_; }
    Catch::RunTests::InWhatOrder runOrder() const override { return Catch::RunTests::InDeclarationOrder; }
    unsigned int rngSeed() const override { return 0; }
    Catch::UseColour::YesOrNo useColour() const override { return Catch::UseColour::No; }
    std::vector<std::string> const& getSectionsToRun() const override { return empty_; }
    Catch::Verbosity verbosity() const override { return Catch::Verbosity::Quiet; }
    bool benchmarkNoAnalysis() const override { return true; }
    int benchmarkSamples() const override { return 0; }
    double benchmarkConfidenceInterval() const override { return 0; }
    unsigned int benchmarkResamples() const override { return 0; }
    std::chrono::milliseconds benchmarkWarmupTime() const override { return {}; }

  private:
    mutable std::ostringstream none_;
    std::vector<std::string> empty_;
};

/// A GENERATE of this execution, with the value that its path takes.
class value_of_path final : public Catch::IGeneratorTracker {
  public:
    value_of_path(walk& w, const std::string& name, std::size_t line)
        : name_(name), walk_(w), at_(w.take_value(line)) {}
    /// Catch2 makes a name for each GENERATE.
    bool is_of(Catch::StringRef name) const { return name == Catch::StringRef(name_); }
    bool hasGenerator() const override { return generator_ != nullptr; }
    Catch::Generators::GeneratorBasePtr const& getGenerator() const override { return generator_; }
    void setGenerator(Catch::Generators::GeneratorBasePtr&& generator) override {
        generator_ = std::move(generator);
        for (unsigned i = 0; i < walk_.wanted(at_); ++i)
            if (!generator_->next()) refuse("a GENERATE of this test case has fewer values than before");
    }
    void count() {
        walk_.set_ways(at_, walk_.wanted(at_) + 1u + (generator_ && generator_->next() ? 1u : 0u));
    }

  private:
    std::string name_;
    walk& walk_;
    std::size_t at_;
    Catch::Generators::GeneratorBasePtr generator_;
};

/// The answers to a test case that is running.
class answers final : public Catch::IResultCapture {
  public:
    void begin(const std::vector<unsigned>& ways) { walk_.begin(ways); }
    /// The path that was taken, with the number of ways at each of its branches.
    const path& end() {
        for (const auto& v : values_) v->count();
        return walk_.taken();
    }
    const path& taken() const { return walk_.taken(); }

    bool sectionStarted(Catch::SectionInfo const& section, Catch::Counts&) override {
        return walk_.enters(section.lineInfo.line, section.name);
    }
    void sectionEnded(Catch::SectionEndInfo const&) override { walk_.leave_section(); }
    void sectionEndedEarly(Catch::SectionEndInfo const&) override { walk_.leave_section(); }
    auto acquireGeneratorTracker(Catch::StringRef name, Catch::SourceLineInfo const& where)
        -> Catch::IGeneratorTracker& override {
        if (walk_.has_left()) refuse(generate_behind_section);
        for (const auto& v : values_)
            if (v->is_of(name)) return *v; // in a loop: the same value
        values_.push_back(std::make_unique<value_of_path>(walk_, std::string(name), where.line));
        return *values_.back();
    }

    void handleExpr(Catch::AssertionInfo const& asked, Catch::ITransientExpression const& expression,
                    Catch::AssertionReaction&) override {
        failures_.judge(asked, expression);
    }
    void handleMessage(Catch::AssertionInfo const& asked, Catch::ResultWas::OfType result,
                       Catch::StringRef const& message, Catch::AssertionReaction&) override {
        failures_.judge(asked, result, std::string(message));
    }
    void handleUnexpectedExceptionNotThrown(Catch::AssertionInfo const& asked,
                                            Catch::AssertionReaction&) override {
        failures_.fail(asked, "no exception was thrown where one was expected");
    }
    void handleUnexpectedInflightException(Catch::AssertionInfo const& asked, std::string const& message,
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
    void emplaceUnscopedMessage(Catch::MessageBuilder const& builder) override {
        failures::messages().push_back(builder.m_info);
        failures::messages().back().message = builder.m_stream.str();
    }
    bool lastAssertionPassed() override { return failures::passed(); }
    void assertionPassed() override { failures::pass(); }
    std::string getCurrentTestName() const override { return walk_.taken().name; }
    const Catch::AssertionResult* getLastResult() const override { return nullptr; }
    void exceptionEarlyReported() override {}

  private:
    failures failures_;
    walk& walk_ = failures_.path_taken();
    std::vector<std::unique_ptr<value_of_path>> values_;
};

// What runner.hpp asks of the version.
using test_case = Catch::TestCase;
inline const Catch::TestCaseInfo& info_of(const test_case& test) { return test; }
inline void invoke(const test_case& test) { test.invoke(); }
inline void answer_by(answers& a) {
    auto& context = Catch::getCurrentMutableContext();
    context.setResultCapture(&a);
    context.setConfig(std::make_shared<settings>());
}

} // namespace ringproof::verify::catch2
