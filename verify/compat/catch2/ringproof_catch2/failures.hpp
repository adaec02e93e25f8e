// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// What becomes of an assertion: a failure refutes where it happens. For both versions of Catch2, whose header is included before.

#include "branches.hpp"

#include <ringproof/verify/check.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace ringproof::verify::catch2 {

/// A test case that is running. Its SECTIONs are its main thread's; assertions may be any thread's.
class failures {
  public:
    /// `asked` has had this answer.
    void judge(const Catch::AssertionInfo& asked, const Catch::ITransientExpression& expression) {
        if (expression.getResult() != Catch::isFalseTest(asked.resultDisposition)) return pass();
        text_.str({});
        expression.streamReconstructedExpression(text_);
        fail(asked, "with expansion: " + text_.str());
    }
    void judge(const Catch::AssertionInfo& asked, Catch::ResultWas::OfType result,
               const std::string& message) {
        if (Catch::isOk(result)) return pass();
        if ((result & Catch::ResultWas::FailureBit) != 0) fail(asked, message);
    }
    void fail(const Catch::AssertionInfo& asked, const std::string& why) const {
        passed() = false;
        if (Catch::shouldSuppressFailure(asked.resultDisposition)) return;
        std::string text = asked.lineInfo.file + (':' + std::to_string(asked.lineInfo.line)) + ": " +
                           std::string(asked.macroName) + "( " + std::string(asked.capturedExpression) +
                           " )\n    " + why;
        for (const Catch::MessageInfo& m : messages()) text += "\n    with message: " + m.message;
        if (!walk_.taken().name.empty()) text += "\n    in " + walk_.taken().name;
        refute(text.c_str());
    }
    static void pass() {
        passed() = true;
        evaluated();
    }
    static bool& passed() {
        static thread_local bool latest = true;
        return latest;
    }
    static std::vector<Catch::MessageInfo>& messages() {
        static thread_local std::vector<Catch::MessageInfo> of_thread;
        return of_thread;
    }
    walk& path_taken() { return walk_; }
    const walk& path_taken() const { return walk_; }

  private:
    walk walk_;
    std::ostringstream text_; // made before main(), as a new one has events of its own
};

inline constexpr const char* generate_behind_section =
    "a GENERATE stands behind a SECTION of this test case: put it into a SECTION of its own";

} // namespace ringproof::verify::catch2
