// SPDX-License-Identifier: Apache-2.0
#include "../../src/outcome/described_options.hpp"
#include "../../src/outcome/invocation.hpp"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

using namespace ringproof::verify;

TEST_CASE("each option that has a value has a shape, by which command lines in results are taken apart") {
    const bool check = GENERATE(false, true);
    CLI::App app("", "test");
    command_options o;
    o.check = check;
    raw_options raw;
    describe_options(app, o, raw);
    std::size_t looked_at = 0;
    for (const CLI::Option* option : app.get_options()) {
        const bool flag = option->get_items_expected_max() == 0 || option->get_type_size() == 0;
        if (option->get_positional() || flag) continue;
        for (const std::string& name : option->get_lnames()) {
            CAPTURE(name);
            const option_shape* shape = shape_of("--" + name);
            REQUIRE(shape);
            const bool optional = option->get_expected_min() == 0;
            CHECK(shape->takes == (optional ? option_shape::value::optional : option_shape::value::needed));
            ++looked_at;
        }
    }
    CHECK(looked_at > 20);
}

TEST_CASE("a program and a set of scenarios have the options that fit them") {
    const auto has = [](bool check, const char* option) {
        return parse_command("test", {option}, check).exit == -1;
    };
    CHECK(has(true, "--trust-assembly"));
    CHECK_FALSE(has(false, "--trust-assembly"));
    for (const bool check : {true, false}) {
        CHECK(has(check, "--unfair"));
        CHECK(has(check, "--leaks"));
    }
}
