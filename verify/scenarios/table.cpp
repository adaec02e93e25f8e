// SPDX-License-Identifier: Apache-2.0
// Puts results into a document: scenario_table RESULTS.json DOCUMENT.md [--check] [--covers]. Between "<!-- results: FILE -->" and
// "<!-- end -->" stands one row for each result of that file. With --check nothing is written: the document must have
// the same rows, its numbers of executions within a factor of five (compilers and orders of search move them), and every
// result must have its place. With --covers, what holds in more than one execution must say what it covers. Exit code 1
// when it is not so. Between "<!-- matrix: FILE -->" and "<!-- end -->" stands a row for each scenario instead, with a column for
// each model, "<!-- clients: FILE -->" the same for LINEARIZABLE, with what was asked behind the name; "<!-- totals -->" is for all
// results. Numbers behind the names are not compared.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using nlohmann::json;

struct row {
    std::string text; ///< all but the number
    std::uint64_t executions;
    std::string line() const { return "| " + text + " | " + std::to_string(executions) + " |"; }
};

/// What fell: the property stated, or what the checker finds by itself.
std::string fell(const json& result) {
    if (!result.contains("counterexample") || result["counterexample"].is_null()) return "";
    const std::string message = result["counterexample"]["message"];
    if (const auto at = message.find("P-"); at != std::string::npos)
        return message.substr(at, message.find(':', at) - at);
    std::string kind = result["counterexample"]["kind"];
    for (char& c : kind)
        if (c == '_') c = ' ';
    return kind;
}

std::vector<row> rows_of(const json& results, const std::string& file, std::set<std::string>& placed) {
    std::vector<row> rows;
    for (const json& r : results) {
        if (!std::string(r["file"]).ends_with("/" + file)) continue;
        placed.insert(std::string(r["name"]));
        const std::string verdict = r["verdict"], what = fell(r);
        rows.push_back({std::string(r["name"]) + " | " + std::string(r["model"]) + " | " + verdict +
                            (what.empty() ? "" : ": " + what),
                        r["executions"].get<std::uint64_t>()});
    }
    return rows;
}

/// A cell of a matrix: what came out under one model.
std::string cell(const json& r) {
    const std::string what = fell(r), executions = std::to_string(r["executions"].get<std::uint64_t>());
    return r["verdict"] == "verified"
               ? executions
               : std::string(r["verdict"]) + (what.empty() ? "" : " (" + what + ")") + ", " + executions;
}

constexpr const char* models[] = {"rc11", "sc", "tso"};

/// What a scenario of LINEARIZABLE asks: its promise, and of how many clients.
std::string asked(const json& r) {
    if (!r.contains("history") || r["history"].is_null()) return "";
    const json& h = r["history"];
    std::string text = " (" + std::string(h["promise"]) + ": ";
    if (h.contains("in_all"))
        text += "every client of up to " + std::to_string(h["in_all"].get<int>()) + " calls";
    else
        text += std::to_string(h["clients"].get<int>()) + " clients up to " +
                std::to_string(h["threads"].get<int>()) + " × " + std::to_string(h["calls"].get<int>());
    for (const json& one : h["may_fail"]) text += ", " + std::string(one) + " may fail";
    return text + ")";
}

std::vector<std::string> matrix_of(const json& results, const std::string& file,
                                   std::set<std::string>& placed, bool of_clients) {
    std::vector<std::string> lines{"| scenario | rc11 | sc | tso |", "|---|---|---|---|"};
    std::string last;
    for (const json& first : results) {
        const std::string name = first["name"];
        if (!std::string(first["file"]).ends_with("/" + file) || name == last) continue;
        placed.insert(last = name);
        std::string line = "| " + name + (of_clients ? asked(first) : "") + " |";
        for (const char* const model : models) {
            std::string found = "–";
            for (const json& r : results)
                if (r["name"] == name && r["model"] == model) found = cell(r);
            line += " " + found + " |";
        }
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> totals_of(const json& results) {
    std::vector<std::string> lines{"| model | verified | executions | refuted, as they must be |",
                                   "|---|---|---|---|"};
    for (const char* const model : models) {
        std::uint64_t verified = 0, refuted = 0, executions = 0;
        for (const json& r : results) {
            if (r["model"] != model) continue;
            (r["verdict"] == "verified" ? verified : refuted) += 1;
            if (r["verdict"] == "verified") executions += r["executions"].get<std::uint64_t>();
        }
        lines.push_back("| " + std::string(model) + " | " + std::to_string(verified) + " | " +
                        std::to_string(executions) + " | " + std::to_string(refuted) + " |");
    }
    return lines;
}

bool near(std::uint64_t a, std::uint64_t b) { return a <= 5 * b + 4 && b <= 5 * a + 4; }

/// Whether two lines say the same but for numbers behind the name: an optimisation changes them tenfold.
bool alike(const std::string& a, const std::string& b) {
    const auto without_numbers = [](std::string line) {
        const auto names = line.find('|', 1);
        const auto from = line.begin() + static_cast<std::ptrdiff_t>(std::min(names, line.size()));
        line.erase(std::remove_if(from, line.end(), [](char c) { return c >= '0' && c <= '9'; }), line.end());
        return line;
    };
    return without_numbers(a) == without_numbers(b);
}

bool same(const std::vector<std::string>& lines, const std::vector<std::string>& others) {
    return std::equal(lines.begin(), lines.end(), others.begin(), others.end(), alike);
}

/// Whether the rows between the marks are these.
bool same(const std::vector<std::string>& lines, const std::vector<row>& rows) {
    if (lines.size() != rows.size() + 2) return false;
    for (std::size_t i = 0; i != rows.size(); ++i) {
        const std::string start = "| " + rows[i].text + " | ";
        if (!lines[i + 2].starts_with(start)) return false;
        if (!near(std::strtoull(lines[i + 2].c_str() + start.size(), nullptr, 10), rows[i].executions))
            return false;
    }
    return true;
}

/// A document whose tables are made again, and compared with those that it has.
class document_check {
  public:
    document_check(std::string name, const json& results, bool check)
        : name_(std::move(name)), results_(results), check_(check) {}

    /// A line of the document. Where a table begins, its rows are taken from `rest` as well.
    void take(const std::string& line, std::istream& rest) {
        out_ << line << '\n';
        if (line.starts_with(matrix_))
            replace(file_of(line, matrix_), rest,
                    matrix_of(results_, file_of(line, matrix_), placed_, false));
        else if (line.starts_with(clients_))
            replace(file_of(line, clients_), rest,
                    matrix_of(results_, file_of(line, clients_), placed_, true));
        else if (line == "<!-- totals -->")
            replace("all files", rest, totals_of(results_));
        else if (line.starts_with(results_mark_))
            replace_rows(file_of(line, results_mark_), rest);
    }
    bool good() const { return good_; }
    const std::set<std::string>& placed() const { return placed_; }
    std::string text() const { return out_.str(); }

  private:
    static constexpr std::string_view results_mark_ = "<!-- results: ", matrix_ = "<!-- matrix: ",
                                      clients_ = "<!-- clients: ";

    static std::string file_of(const std::string& line, std::string_view mark) {
        return line.substr(mark.size(), line.find(' ', mark.size()) - mark.size());
    }
    static std::vector<std::string> table_in(std::istream& rest) {
        std::vector<std::string> old;
        for (std::string line; std::getline(rest, line) && line != "<!-- end -->";) old.push_back(line);
        return old;
    }
    void note(const std::string& file, bool is_same) {
        if (!check_ || is_same) return;
        std::cerr << name_ << ": the results of " << file << " are others now\n";
        good_ = false;
    }
    void replace(const std::string& file, std::istream& rest, const std::vector<std::string>& lines) {
        note(file, same(table_in(rest), lines));
        for (const std::string& one : lines) out_ << one << '\n';
        out_ << "<!-- end -->\n";
    }
    void replace_rows(const std::string& file, std::istream& rest) {
        const std::vector<row> rows = rows_of(results_, file, placed_);
        note(file, same(table_in(rest), rows));
        out_ << "| entry | model | verdict | executions |\n|---|---|---|---|\n";
        for (const row& r : rows) out_ << r.line() << '\n';
        out_ << "<!-- end -->\n";
    }

    std::string name_;
    const json& results_;
    bool check_, good_ = true;
    std::set<std::string> placed_;
    std::ostringstream out_;
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: scenario_table RESULTS.json DOCUMENT.md [--check] [--covers]\n";
        return 2;
    }
    std::ifstream results_file(argv[1]), page(argv[2]);
    const json results = json::parse(results_file, nullptr, false);
    if (results.is_discarded() || !page) {
        std::cerr << "error: " << (page ? argv[1] : argv[2]) << " cannot be read\n";
        return 2;
    }
    const auto said = [&](const char* option) {
        return std::find(argv + 3, argv + argc, std::string(option)) != argv + argc;
    };
    const bool check = said("--check"), demands = said("--covers");
    document_check document(argv[2], results["results"], check);
    for (std::string line; std::getline(page, line);) document.take(line, page);
    bool good = document.good();
    const std::set<std::string>& placed = document.placed();
    for (const json& r : results["results"])
        if (demands && r["verdict"] == "verified" && r["executions"] > 1 && r["covered"].empty()) {
            std::cerr << r["file"] << ": '" << std::string(r["name"]) << "' has no .covers\n";
            good = false;
        }
    for (const json& r : results["results"])
        if (placed.count(std::string(r["name"])) == 0) {
            std::cerr << argv[2] << ": '" << std::string(r["name"]) << "' has no place there\n";
            good = false;
        }
    if (!good) std::cerr << "to write it again: cmake --build BUILD --target ringproof_scenario_tables\n";
    if (check || !good) return good ? 0 : 1;
    std::ofstream(argv[2]) << document.text();
    return 0;
}
