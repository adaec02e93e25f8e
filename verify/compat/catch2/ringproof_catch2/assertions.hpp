// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// What Catch2 (version 2) asks of a run: what becomes of an assertion, and whether a SECTION is entered.

#include "answers.hpp"

namespace ringproof::verify::catch2 {

class settings final : public common_settings {
  public:
    std::ostream& stream() const override { return none_; }
    std::string name() const override { return {}; }
    bool warnAboutNoTests() const override { return false; }
    Catch::ShowDurations::OrNot showDurations() const override { return Catch::ShowDurations::Never; }
    Catch::RunTests::InWhatOrder runOrder() const override { return Catch::RunTests::InDeclarationOrder; }
    unsigned int rngSeed() const override { return 0; }
    Catch::UseColour::YesOrNo useColour() const override { return Catch::UseColour::No; }
    int benchmarkSamples() const override { return 0; }

  private:
    mutable std::ostringstream none_;
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

class answers final : public common_answers<value_of_path> {
  public:
    bool sectionStarted(Catch::SectionInfo const& section, Catch::Counts&) override {
        return walk_.enters(section.lineInfo.line, section.name);
    }
    void sectionEnded(Catch::SectionEndInfo const&) override { walk_.leave_section(); }
    void sectionEndedEarly(Catch::SectionEndInfo const&) override { walk_.leave_section(); }
    auto acquireGeneratorTracker(Catch::StringRef name, Catch::SourceLineInfo const& where)
        -> Catch::IGeneratorTracker& override {
        if (value_of_path* const same = met_before(name)) return *same;
        return meet(std::make_unique<value_of_path>(walk_, std::string(name), where.line));
    }
    void handleMessage(Catch::AssertionInfo const& asked, Catch::ResultWas::OfType result,
                       Catch::StringRef const& message, Catch::AssertionReaction&) override {
        failures_.judge(asked, result, std::string(message));
    }
    void handleUnexpectedInflightException(Catch::AssertionInfo const& asked, std::string const& message,
                                           Catch::AssertionReaction&) override {
        threw(asked, message);
    }
    void emplaceUnscopedMessage(Catch::MessageBuilder const& builder) override { note_unscoped(builder); }
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
