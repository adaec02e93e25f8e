// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model in the cat language, as parsed. The grammar is herd7's.

#include "../parse/source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ringproof::litmus::cat {

struct expression;
using expression_ptr = std::shared_ptr<const expression>;

/// `x`, `(x, y)` or `_` (an empty name)
struct pattern {
    std::vector<std::string> names;
    bool tuple = false;
};

struct binding {
    pattern to;
    expression_ptr what;
    std::size_t offset = 0;
};

/// Whether a test on names of variants ("if "cos-opt" …") holds.
struct variant_test {
    enum class kind { name, negation, conjunction, disjunction };
    kind what = kind::name;
    std::string name;
    std::vector<variant_test> parts;
};

struct expression {
    enum class kind {
        name,
        tag,      ///< 'name
        empty,    ///< 0 or {} or ()
        universe, ///< _
        set,      ///< {a, b}
        tuple,
        identity, ///< [S]
        unite,
        intersect,
        subtract,
        sequence,
        product,
        insert, ///< e ++ S
        complement,
        plus,
        star,
        optional,
        inverse,
        call,     ///< parts: function, argument
        function, ///< to, parts: body
        let,      ///< bindings, parts: body
        let_rec,
        match_set,    ///< parts: value, when empty, otherwise; to: element, rest
        match_tag,    ///< parts: value, then one per name in `names`; "" is the default
        attempt,      ///< try parts[0] with parts[1]
        choose,       ///< if … then parts[0] else parts[1]
        choose_equal, ///< parts: left, right, then, else
        choose_subset,
        choose_member
    };
    kind what = kind::empty;
    int depth = 1; ///< of the tree below
    std::size_t offset = 0;
    std::string name;
    std::vector<std::string> names;
    std::vector<expression_ptr> parts;
    std::vector<binding> bindings;
    pattern to;
    variant_test variant;
};

struct instruction {
    enum class kind {
        let,
        let_rec,
        check,
        include,
        procedure,
        call,
        for_all,
        with_from,
        when_variant,
        enumeration,
        annotation, ///< instructions R[…], default R[…]
        match_tag,
        ignored ///< show, unshow, debug
    };
    enum class test { acyclic, irreflexive, empty };
    enum class effect { reject, flag, undefined_unless, assertion };
    kind what = kind::ignored;
    std::size_t offset = 0;
    std::string name; ///< of a check, procedure, variable, or file
    std::vector<std::string> names;
    std::vector<binding> bindings;
    pattern to;
    expression_ptr value;
    test how = test::acyclic;
    bool negated = false;
    effect then = effect::reject;
    variant_test variant;
    std::vector<instruction> body, otherwise;
    std::vector<std::vector<instruction>> bodies; ///< match_tag
};

struct model_text {
    source from;
    std::string architecture; ///< of `C "name"`; may be empty
    std::string title;
    bool computes_dependencies = false; ///< option catdep: from events of registers
    std::size_t option_at = 0;
    std::vector<instruction> body;
};

/// @throws syntax_error
std::shared_ptr<const model_text> parse_model(source from);

} // namespace ringproof::litmus::cat
