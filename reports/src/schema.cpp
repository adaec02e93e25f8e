// SPDX-License-Identifier: Apache-2.0
#include "schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

namespace ringproof::report {
namespace {

constexpr std::array<std::string_view, 7> annotations{"$schema",     "$id",      "$comment",   "title",
                                                      "description", "examples", "definitions"};

bool has_type(const json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    if (type == "integer") // 1.0 is an integer in draft-07
        return value.is_number_integer() ||
               (value.is_number_float() && value.get<double>() == std::floor(value.get<double>()));
    throw std::logic_error(fmt::format("schema: unknown type '{}'", type));
}

/// The value as a person would quote it, cut where it is long.
std::string shown(const json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "an array";
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return text;
}

std::string alternatives(const json& values) {
    std::string text;
    for (const json& value : values)
        text += (text.empty() ? "" : ", ") +
                (value.is_string() && value.get<std::string>().empty() ? std::string("empty") : shown(value));
    return text;
}

std::string escape_pointer(const std::string& key) {
    std::string text;
    for (const char c : key) c == '~' ? text += "~0" : c == '/' ? text += "~1" : text += c;
    return text;
}

class validator {
  public:
    validator(const json& root, std::size_t limit) : root_(root), limit_(limit) {}

    void check(const json& schema, const json& value, const std::string& where) {
        if (found_.size() >= limit_) return;
        for (const auto& [keyword, rule] : schema.items()) {
            if (std::find(annotations.begin(), annotations.end(), keyword) != annotations.end()) continue;
            if (!apply(schema, keyword, rule, value, where)) return; // the type is wrong: the rest is noise
        }
    }

    std::vector<violation> take() { return std::move(found_); }

  private:
    void report(const std::string& where, std::string what) {
        if (found_.size() < limit_) found_.push_back({where, std::move(what)});
    }

    const json& resolve(const std::string& reference) const {
        if (reference.starts_with("#/"))
            if (const json::json_pointer pointer(reference.substr(1)); root_.contains(pointer))
                return root_.at(pointer);
        throw std::logic_error(fmt::format("schema: cannot follow $ref '{}'", reference));
    }

    bool apply(const json& schema, const std::string& keyword, const json& rule, const json& value,
               const std::string& where) {
        if (keyword == "$ref") return check(resolve(rule.get<std::string>()), value, where), true;
        if (keyword == "type") return check_type(rule, value, where);
        if (keyword == "enum") {
            if (std::find(rule.begin(), rule.end(), value) == rule.end())
                report(where, fmt::format("is {}, must be one of {}", shown(value), alternatives(rule)));
        } else if (keyword == "const") {
            if (value != rule) report(where, fmt::format("is {}, must be {}", shown(value), shown(rule)));
        } else if (keyword == "minimum") {
            if (value.is_number() && value.get<double>() < rule.get<double>())
                report(where, fmt::format("is {}, must be at least {}", shown(value), shown(rule)));
        } else if (keyword == "minLength") {
            if (value.is_string() && value.get_ref<const std::string&>().size() < rule.get<std::size_t>())
                report(where, "is too short a string");
        } else if (keyword == "minItems" || keyword == "maxItems") {
            const bool wrong = keyword == "minItems" ? value.size() < rule.get<std::size_t>()
                                                     : value.size() > rule.get<std::size_t>();
            if (value.is_array() && wrong)
                report(where, fmt::format("has {} items, {} is {}", value.size(), keyword, shown(rule)));
        } else if (keyword == "required") {
            for (const json& key : rule)
                if (value.is_object() && !value.contains(key.get<std::string>()))
                    report(where, fmt::format("lacks {}", shown(key)));
        } else if (keyword == "items") {
            if (value.is_array())
                for (std::size_t i = 0; i < value.size(); ++i)
                    check(rule, value[i], fmt::format("{}/{}", where, i));
        } else if (keyword == "properties") {
            if (value.is_object())
                for (const auto& [key, member] : value.items())
                    if (rule.contains(key)) check(rule[key], member, where + "/" + escape_pointer(key));
        } else if (keyword == "additionalProperties") {
            check_additional(schema, rule, value, where);
        } else {
            throw std::logic_error(fmt::format("schema: keyword '{}' is not supported", keyword));
        }
        return true;
    }

    bool check_type(const json& rule, const json& value, const std::string& where) {
        const json types = rule.is_array() ? rule : json::array({rule});
        for (const json& type : types)
            if (has_type(value, type.get<std::string>())) return true;
        std::string words;
        for (const json& type : types) words += (words.empty() ? "" : " or ") + type.get<std::string>();
        report(where, fmt::format("is {}, must be of type {}", shown(value), words));
        return false;
    }

    void check_additional(const json& schema, const json& rule, const json& value, const std::string& where) {
        if (!value.is_object()) return;
        for (const auto& [key, member] : value.items()) {
            if (schema.contains("properties") && schema["properties"].contains(key)) continue;
            const std::string there = where + "/" + escape_pointer(key);
            if (rule.is_object())
                check(rule, member, there);
            else if (rule == false)
                report(there, "is not a known field");
        }
    }

    const json& root_;
    std::size_t limit_;
    std::vector<violation> found_;
};

} // namespace

std::vector<violation> validate(const json& schema, const json& instance, std::size_t limit) {
    validator run(schema, limit);
    run.check(schema, instance, "");
    return run.take();
}

} // namespace ringproof::report
