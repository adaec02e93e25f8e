// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/reports.hpp>

#include <catch2/catch.hpp>

#include <array>

using namespace ringproof::command;

TEST_CASE("any file asks for reports") {
    CHECK_FALSE(report_files{}.any());
    for (std::string report_files::*one :
         std::array{&report_files::junit, &report_files::sarif, &report_files::html, &report_files::markdown,
                    &report_files::annotations, &report_files::code_quality}) {
        report_files files;
        files.*one = "file";
        CHECK(files.any());
    }
}

TEST_CASE("a report that cannot be written is an error, with or without ringproof-report here") {
    const json document = make_document("ringproof-verify/1", {"ringproof", "check"});
    report_files files;
    files.sarif = "/no/such/folder/report.sarif";
    CHECK_THROWS_AS(make_reports(document, files), std::runtime_error);
}
