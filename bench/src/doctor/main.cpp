// SPDX-License-Identifier: Apache-2.0
#include "doctor.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/opinion.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/typed_command.hpp>
#include <ringproof/command/verb.hpp>

namespace ringproof::bench {
namespace {

using command::json;

const char* name_of(health h) { return h == health::good ? "good" : h == health::note ? "note" : "suspect"; }

void print(const std::vector<finding>& all) {
    for (const finding& f : all) {
        fmt::print("{:3} {:<13} {}\n",
                   f.state == health::good   ? "ok"
                   : f.state == health::note ? " . "
                                             : "!!",
                   f.subject, f.found);
        if (!f.means.empty()) fmt::print("{:17} {}\n", "", f.means);
        if (!f.remedy.empty()) fmt::print("{:17} do: {}\n", "", f.remedy);
    }
    const auto suspects =
        std::count_if(all.begin(), all.end(), [](const finding& f) { return f.state == health::suspect; });
    if (suspects == 0)
        fmt::print("\nNo problems found: measurements on this machine can be trusted.\n");
    else
        fmt::print("\n{} thing{} (marked !!) make{} results from this machine less trustworthy.\n", suspects,
                   suspects == 1 ? "" : "s", suspects == 1 ? "s" : "");
}

json to_json(const std::vector<finding>& all, const std::vector<std::string>& invocation) {
    json document = command::make_document("ringproof-doctor/1", invocation);
    for (const finding& f : all)
        document["results"].push_back({{"subject", f.subject},
                                       {"state", name_of(f.state)},
                                       {"found", f.found},
                                       {"means", f.means},
                                       {"remedy", f.remedy}});
    return document;
}

} // namespace

int doctor_main(int argc, char** argv) {
    CLI::App app("Reports what makes benchmark results of this machine untrustworthy, and what to do",
                 "ringproof doctor");
    std::string out, root;
    bool strict = false;
    app.add_option("--json", out, "write the findings as JSON; - is standard output")->type_name("FILE");
    app.add_flag("--strict", strict, "exit with code 4 when anything makes results untrustworthy");
    app.add_option("--root", root, "read /proc and /sys below this folder, and measure nothing")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory);
    app.footer("exit codes: 0 examined · 2 usage · 4 with --strict: something is suspect");
    command::add_common_options(app);
    try {
        app.parse(argc, argv);
        std::vector<finding> all = examine_files(root.empty() ? "/" : root);
        if (root.empty()) {
            for (finding& f : examine_live()) all.push_back(std::move(f));
            const std::filesystem::path own = command::own_program();
            for (finding& f : examine_opinions(own.parent_path())) all.push_back(std::move(f));
        }
        if (out != "-") print(all);
        if (!out.empty())
            command::write_document(to_json(all, command::typed_command("doctor", argc, argv)), out);
        const bool suspect =
            std::any_of(all.begin(), all.end(), [](const finding& f) { return f.state == health::suspect; });
        return to_int(strict && suspect ? command::exit_code::inconclusive : command::exit_code::holds);
    } catch (const CLI::ParseError& e) {
        return ringproof::command::end_of_arguments(app, e);
    }
}

} // namespace ringproof::bench

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof doctor",
                                        [&] { return ringproof::bench::doctor_main(argc, argv); });
}
