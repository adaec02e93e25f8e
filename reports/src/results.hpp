// SPDX-License-Identifier: Apache-2.0
#pragma once
// Result documents of verify, litmus and bench, and what is read out of them: one case a result,
// with one outcome, which every output format shares. So the page, JUnit, SARIF, Markdown and the
// exit code cannot disagree.

#include "schema.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::report {

enum class document_kind { verify, litmus, bench };
enum class outcome { passed, failed, inconclusive, skipped, error };

std::string_view name_of(document_kind kind);
std::string_view name_of(outcome value);

struct document {
    std::string path;
    document_kind kind;
    json content;
};

/// One result of one document.
struct test_case {
    document_kind kind;
    outcome result;
    std::string name;
    std::string group; ///< the memory model, the litmus engine, or "" for a benchmark
    std::string what;  ///< one line: what was found, with its counts; never empty
    std::string file;  ///< source file, "" when unknown
    long line = 0;     ///< 0 when unknown
    double seconds = 0;
    const json* source = nullptr; ///< the result itself, inside its document
};

/// Reads and validates a document.
/// @throws std::runtime_error "path: /results/0/verdict is …", one line for each violation
document load(const std::string& path);

/// The same for content at hand. `path` is only for messages.
document accept(std::string path, json content);

/// Why a run of benchmarks is not fit for its purpose; nothing when it is, and for other documents.
std::optional<std::string> unfit(const document& source);

/// What one result says. Nothing for the aggregates of benchmarks.
std::optional<test_case> case_of(document_kind kind, const json& result);

/// The cases of a document, which must outlive them. The repetitions of a benchmark are one case,
/// that of its first error, or else its first. A run that is not fit for its purpose is one more case, inconclusive.
std::vector<test_case> cases_of(const document& source);

/// A whole number with thin groups, "1 234 567", so that counts can be read.
std::string grouped(unsigned long long number);

/// "1 execution", "12 400 executions"
std::string counted(unsigned long long number, std::string_view noun);

} // namespace ringproof::report
