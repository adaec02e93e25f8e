// SPDX-License-Identifier: Apache-2.0
#include "schema.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::report;

namespace {

std::string first(const char* schema, const char* instance) {
    const auto found = validate(json::parse(schema), json::parse(instance));
    return found.empty() ? "valid" : found[0].where + " " + found[0].what;
}

} // namespace

TEST_CASE("a value of the wrong type is named with its place") {
    CHECK(first(R"({"type":"integer"})", "\"x\"") == " is \"x\", must be of type integer");
    CHECK(first(R"({"properties":{"a/b":{"items":{"type":["string","null"]}}}})",
                R"({"a/b":[null,"s",3]})") == "/a~1b/2 is 3, must be of type string or null");
}

TEST_CASE("a whole floating number is an integer, as the standard has it") {
    CHECK(first(R"({"type":"integer"})", "2.0") == "valid");
    CHECK(first(R"({"type":"integer"})", "2.5") == " is 2.5, must be of type integer");
}

TEST_CASE("a missing field is named") {
    CHECK(first(R"({"required":["name","model"]})", R"({"name":1})") == " lacks \"model\"");
}

TEST_CASE("enum and const say what is allowed") {
    CHECK(first(R"({"enum":["a",null]})", "\"b\"") == " is \"b\", must be one of \"a\", null");
    CHECK(first(R"({"enum":["a",null]})", "null") == "valid");
    CHECK(first(R"({"const":"x/1"})", "\"x/2\"") == " is \"x/2\", must be \"x/1\"");
}

TEST_CASE("bounds on numbers, strings and arrays hold at their ends") {
    CHECK(first(R"({"minimum":0})", "0") == "valid");
    CHECK(first(R"({"minimum":0})", "-1") == " is -1, must be at least 0");
    CHECK(first(R"({"minLength":1})", "\"\"") == " is too short a string");
    CHECK(first(R"({"minItems":2,"maxItems":2})", "[1,2]") == "valid");
    CHECK(first(R"({"minItems":2,"maxItems":2})", "[1]") == " has 1 items, minItems is 2");
    CHECK(first(R"({"minItems":2,"maxItems":2})", "[1,2,3]") == " has 3 items, maxItems is 2");
}

TEST_CASE("unknown fields are valid unless the schema says otherwise") {
    CHECK(first(R"({"properties":{"a":{}}})", R"({"b":1})") == "valid");
    CHECK(first(R"({"properties":{"a":{}},"additionalProperties":false})", R"({"b":1})") ==
          "/b is not a known field");
    CHECK(first(R"({"additionalProperties":{"type":"string"}})", R"({"b":1})") ==
          "/b is 1, must be of type string");
}

TEST_CASE("references are followed, also where they recur") {
    const char* schema = R"({"$ref":"#/definitions/tree","definitions":{"tree":{"type":"object",
        "properties":{"left":{"$ref":"#/definitions/tree"}}}}})";
    CHECK(first(schema, R"({"left":{"left":{}}})") == "valid");
    CHECK(first(schema, R"({"left":{"left":1}})") == "/left/left is 1, must be of type object");
}

TEST_CASE("a schema that could go unchecked is refused") {
    CHECK_THROWS_WITH(first(R"({"pattern":"^a"})", "1"), "schema: keyword 'pattern' is not supported");
    CHECK_THROWS_WITH(first(R"({"type":"text"})", "1"), "schema: unknown type 'text'");
    CHECK_THROWS_WITH(first(R"({"$ref":"#/definitions/none"})", "1"),
                      "schema: cannot follow $ref '#/definitions/none'");
    CHECK_THROWS_WITH(first(R"({"$ref":"other.json"})", "1"), "schema: cannot follow $ref 'other.json'");
}

TEST_CASE("the number of violations told is limited") {
    CHECK(validate(json::parse(R"({"items":{"type":"null"}})"), json(std::vector<int>(100, 1)), 7).size() ==
          7);
}
