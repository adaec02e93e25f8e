// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// What both versions of Catch2 ask of a run in the same words. The rest: assertions.hpp (version 2), assertions3.hpp (version 3).
// The version's header is included before.

#include "failures.hpp"

#include <cstdlib>
#include <memory>

namespace ringproof::verify::catch2 {

/// The framework's settings: those of a run without options.
class common_settings : public Catch::IConfig {
  public:
    bool allowThrows() const override { return true; }
    bool includeSuccessfulResults() const override { return false; }
    bool shouldDebugBreak() const override { return false; }
    bool warnAboutMissingAssertions() const override { return false; }
    int abortAfter() const override { return 0; }
    bool showInvisibles() const override { return false; }
    double minDuration() const override { return -1; }
    // What it would return is a type that the header only declares; the session asks for it, which runs no test here.
    Catch::TestSpec const& testSpec() const override { std::abort(); }
    bool hasTestFilters() const override { return false; }
    std::vector<std::string> const& getTestsOrTags() const override { return empty_; }
    std::vector<std::string> const& getSectionsToRun() const override { return empty_; }
    Catch::Verbosity verbosity() const override { return Catch::Verbosity::Quiet; }
    bool benchmarkNoAnalysis() const override { return true; }
    double benchmarkConfidenceInterval() const override { return 0; }
    unsigned int benchmarkResamples() const override { return 0; }
    std::chrono::milliseconds benchmarkWarmupTime() const override { return {}; }

  private:
    std::vector<std::string> empty_;
};

/// The answers to a test case that is running. @tparam Value a GENERATE of this execution, with is_of(name) and count()
template <class Value>
class common_answers : public Catch::IResultCapture {
  public:
    void begin(const std::vector<unsigned>& ways) { walk_.begin(ways); }
    /// The path that was taken, with the number of ways at each of its branches.
    const path& end() {
        for (const auto& v : values_) v->count();
        return walk_.taken();
    }
    const path& taken() const { return walk_.taken(); }

    void handleExpr(Catch::AssertionInfo const& asked, Catch::ITransientExpression const& expression,
                    Catch::AssertionReaction&) override {
        failures_.judge(asked, expression);
    }
    void handleUnexpectedExceptionNotThrown(Catch::AssertionInfo const& asked,
                                            Catch::AssertionReaction&) override {
        failures_.fail(asked, "no exception was thrown where one was expected");
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
    bool lastAssertionPassed() override { return failures::passed(); }
    void assertionPassed() override { failures::pass(); }
    std::string getCurrentTestName() const override { return walk_.taken().name; }
    const Catch::AssertionResult* getLastResult() const override { return nullptr; }
    void exceptionEarlyReported() override {}

  protected:
    void threw(const Catch::AssertionInfo& asked, const std::string& message) {
        failures_.fail(asked, "an exception was thrown: " + message);
    }
    static void note_unscoped(const Catch::MessageBuilder& builder) {
        failures::messages().push_back(builder.m_info);
        failures::messages().back().message = builder.m_stream.str();
    }
    /// The GENERATE of this name that the execution has met, in a loop: it has the same value again. Or null.
    Value* met_before(Catch::StringRef name) {
        if (walk_.has_left()) refuse(generate_behind_section);
        for (const auto& v : values_)
            if (v->is_of(name)) return v.get();
        return nullptr;
    }
    Value& meet(std::unique_ptr<Value> value) {
        values_.push_back(std::move(value));
        return *values_.back();
    }

    failures failures_;
    walk& walk_ = failures_.path_taken();

  private:
    std::vector<std::unique_ptr<Value>> values_;
};

} // namespace ringproof::verify::catch2
