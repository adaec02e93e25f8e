// SPDX-License-Identifier: Apache-2.0
#include "../../src/cat/coherence.hpp"
#include "../../src/cat/interpreter.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::cat;

namespace {

graph run(const std::string& text) { return interpret(*parse_model({"m.cat", "\"m\"\n" + text}), {}); }

std::string error_of(const std::string& text) {
    try {
        run(text);
    } catch (const syntax_error& e) {
        return std::string(e.what()).substr(0, std::string(e.what()).find('\n'));
    }
    return "";
}

/// Three events, program order 0 -> 1 -> 2; the first and the last in W, the middle one in R.
struct small_execution : base_values {
    void fill(const std::string& name, bool is_set, word* to) const override {
        if (is_set && name == "W") to[0] = 0b101;
        if (is_set && name == "R") to[0] = 0b010;
        if (!is_set && name == "po") to[0] = 0b110, to[1] = 0b100;
    }
};

bool first_check_holds(const std::string& text) {
    const small_execution execution;
    setting s;
    s.size = extent(3);
    s.execution = &execution;
    const graph g = interpret(*parse_model({"m.cat", "\"m\"\n" + text}), s);
    evaluator e(g);
    e.start(extent(3), execution);
    return e.holds(g.checks.at(0));
}

} // namespace

TEST_CASE("relations and sets are computed as the language defines them") {
    CHECK(first_check_holds("acyclic po"));
    CHECK_FALSE(first_check_holds("acyclic po | po^-1"));
    CHECK(first_check_holds("~empty po ; po"));
    CHECK(first_check_holds("empty po ; po ; po"));
    CHECK(first_check_holds("empty po \\ ((W * R) | (R * W) | (W * W))"));
    CHECK_FALSE(first_check_holds("irreflexive po?"));
    CHECK(first_check_holds("empty W & R"));
    CHECK(first_check_holds("empty [R] ; po ; [R]"));
    CHECK(first_check_holds("empty (~po & po)"));
    CHECK(first_check_holds("empty domain(po) \\ (W | R) | (range(po) & {})"));
}

TEST_CASE("functions take tuples, are curried, recurse over sets, and see what was defined before them") {
    CHECK(first_check_holds("let f(a, b) = a \\ b\nempty f(po, po)"));
    CHECK(first_check_holds("let f = fun a -> fun b -> a & b\nempty f po (po^-1)"));
    CHECK(first_check_holds("let g(s) = s & W\nlet W = R\n~empty g(_)"));
    CHECK(
        first_check_holds("let rec pairs S = match S with || {} -> 0 || e ++ S -> ({e} * {e}) | pairs S end\n"
                          "empty pairs W \\ id"));
    CHECK_FALSE(
        first_check_holds("let rec pairs S = match S with || {} -> 0 || e ++ S -> ({e} * {e}) | pairs S end\n"
                          "empty pairs W"));
}

TEST_CASE("let rec is the least fixed point, of relations and of sets") {
    CHECK(first_check_holds("let rec t = po | (t ; t)\nempty t \\ po+"));
    CHECK(first_check_holds("let rec t = po | (t ; t)\nempty po+ \\ t"));
    CHECK(first_check_holds("let rec s = W | range([s] ; po)\nempty _ \\ s"));
    CHECK(first_check_holds("let rec a = po & (W * _) | (b ; b) and b = a | (po & (R * _))\nempty po \\ b"));
}

TEST_CASE("an undefined name, a set for a relation, and a missing file are errors in place") {
    CHECK(error_of("acyclic po | nonsense") == "m.cat:2:14: 'nonsense' is not defined");
    CHECK(error_of("acyclic W") == "m.cat:2:1: expected a relation, this is a set of events");
    CHECK(error_of("let r = W ; po\n") == "m.cat:2:11: expected a relation, this is a set of events");
    CHECK(error_of("include \"no-such.cat\"") ==
          "m.cat:2:1: there is no file 'no-such.cat' (searched: the built-in models)");
    CHECK(error_of("let r = try nonsense with 0\nempty r").empty());
}

TEST_CASE("which models forbid incoherence is read off their checks") {
    for (const std::string& name : built_in_models()) {
        INFO(name);
        const forbidden_shapes s =
            coherence_of(interpret(*parse_model({name, *built_in(name + ".cat")}), {}));
        CHECK(s.all);
        CHECK(s.read_own_future);
    }
    const auto all = [](const std::string& check) {
        return coherence_of(run("include \"cos.cat\"\n" + check)).all;
    };
    CHECK(all("acyclic po-loc | rf | co | fr"));
    CHECK(all("irreflexive po ; (rf | co | fr)+"));
    CHECK_FALSE(all("acyclic po-loc | rf | co"));
    CHECK_FALSE(all("acyclic po-loc | rfe | co | fr"));
    CHECK_FALSE(all("flag ~acyclic po-loc | rf | co | fr as bad"));
    CHECK_FALSE(all("acyclic (po-loc & (W * W)) | rf | co | fr"));
}

TEST_CASE(
    "a model that takes its dependencies from registers is refused, unless it includes the file we replace") {
    CHECK(error_of("catdep let data = [Rreg]\nacyclic po\n").find("not supported, unless it includes") !=
          std::string::npos);
}

TEST_CASE("what no test has events of is empty from the start, so that a model may look into it") {
    // No execution is needed to see that there is nothing to order.
    const graph g = run("let f S = match S with || {} -> po || x ++ xs -> 0 end\nacyclic f(TLBI * W) as a\n");
    REQUIRE(g.checks.size() == 1);
    CHECK_FALSE(g.is_empty(g.checks[0].what));
}

TEST_CASE("the inverse is written with and without a roof") {
    CHECK(first_check_holds("empty (po^-1 \\ (po -1)) as a\n"));
}

TEST_CASE("a model made to explode is an error with a place") {
    std::string tuples = "let t0 = (po, po)\n", calls = "let f0 x = x | x\n";
    for (int k = 1; k < 40; ++k) {
        const std::string now = std::to_string(k), before = std::to_string(k - 1);
        tuples += "let t" + now + " = (t" + before + ", t" + before + ")\n";
        calls += "let f" + now + " x = f" + before + " (f" + before + " x)\n";
    }
    CHECK(error_of(tuples).find("too many members") != std::string::npos);
    CHECK(error_of(calls + "let y = f39 po\n").find("too many steps") != std::string::npos);
    CHECK(error_of("let rec f x = f (x ; x)\nlet y = f po\n").find("calls itself too deeply") !=
          std::string::npos);
}

namespace {

/// `part` so often, with `sign` between.
std::string chain(const std::string& part, const std::string& sign, int times) {
    std::string text = part;
    for (int k = 1; k < times; ++k) text += sign + part;
    return text;
}

} // namespace

TEST_CASE("expressions as deep as no model is are errors with a place, in every operator") {
    for (const char* sign : {" | ", " ; ", " & ", " \\ ", " ++ "})
        CHECK(error_of("acyclic " + chain("po", sign, 10'000)).find("m.cat:2:") == 0);
    CHECK(error_of("acyclic " + chain("W", " * ", 10'000)).find("this expression is too deep") !=
          std::string::npos);
    CHECK(error_of("acyclic po" + chain("^-1", "", 10'000)).find("this expression is too deep") !=
          std::string::npos);
    CHECK(error_of("acyclic " + chain("po", " \\ ", 10'000))
              .find("more than 1000 operators inside each other") != std::string::npos);
    CHECK(error_of("acyclic f" + chain(" po", "", 10'000)).find("this expression is too deep") !=
          std::string::npos);
    CHECK(error_of("if " + chain("not", " ", 10'000) + " \"a\" acyclic po end").find("nested too deeply") !=
          std::string::npos);
    // Each pair of parentheses starts afresh for the parser, not for the tree.
    std::string nested = "po";
    for (int k = 0; k < 50; ++k) nested = "(" + nested + chain("^-1", "", 900) + ")";
    CHECK(error_of("acyclic " + nested).find("this expression is too deep") != std::string::npos);
    CHECK(error_of("acyclic po" + chain("^-1", "", 900)).empty());
    CHECK(error_of("acyclic " + chain("(po ; po)", " | ", 900)).empty());
    CHECK(error_of("if " + chain("\"a\"", " || ", 10'000) + " acyclic po end").empty());
}

TEST_CASE("functions that call themselves inside deep expressions end with an error, not with the stack") {
    CHECK(error_of("let rec f x = " + chain("f(x ; x)", " | ", 400) + "\nacyclic f po\n").find("m.cat:2:") ==
          0);
    std::string tuples = "let t0 = po\n";
    for (int k = 1; k < 2'000; ++k)
        tuples += "let t" + std::to_string(k) + " = (t" + std::to_string(k - 1) + ", po)\n";
    CHECK(error_of(tuples).find("too many members") != std::string::npos);
}

TEST_CASE("a model of very many names is read, let go of, and evaluated or refused") {
    std::string text = "let a0 = po\n";
    for (int k = 1; k < 2'000; ++k)
        text += "let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + " ; po\n";
    CHECK(error_of(text + "acyclic a1999 as deep\n").empty());
    CHECK(first_check_holds(text + "acyclic a1999 as deep\n"));
    for (int k = 2'000; k < 40'000; ++k)
        text += "let a" + std::to_string(k) + " = a" + std::to_string(k - 1) + "\n";
    CHECK(error_of(text).empty()); // long, and each name is found at once
    for (int k = 0; k < 2'000; ++k) text += "let b" + std::to_string(k) + " = a0\n";
    CHECK(error_of(text).find("this model takes too many steps") != std::string::npos);
}

TEST_CASE("a let rec without fixed point is an error that names its place") {
    const auto error_in_execution = [](const std::string& text) {
        try {
            first_check_holds(text);
        } catch (const cannot_evaluate& e) {
            const std::string what = e.what();
            return what.substr(0, what.find('\n'));
        }
        return std::string();
    };
    const std::string alternates =
        ": this let rec has no fixed point in an execution of the test: its values alternate";
    CHECK(error_in_execution("let rec a = po \\ a\nacyclic a\n") == "m.cat:2:9" + alternates);
    CHECK(error_in_execution("let r = po\nlet rec a = r \\ b and b = r \\ c and c = r \\ a\nacyclic a\n") ==
          "m.cat:3:9" + alternates);
    // Not monotone, and yet it settles: what models match critical sections with.
    CHECK(error_in_execution("let rec a = po & (W * R) | (b \\ a) and b = a\nacyclic a\n").empty());
    CHECK(error_in_execution("let rec t = po | (t ; t)\nacyclic t\n").empty());
    // Each round hands on one variable: as many rounds as that.
    CHECK(error_in_execution("let rec a = b and b = c and c = d and d = e and e = f and f = po\nacyclic a\n")
              .empty());
}

TEST_CASE("what an evaluator does is counted, so that a deadline ends it") {
    const small_execution execution;
    const graph g = run("acyclic (po ; po)+\n");
    evaluator e(g);
    watch time(1e-9);
    e.set_watch(&time);
    const auto evaluate_often = [&] {
        for (int k = 0; k < 1'000'000; ++k) {
            e.start(extent(3), execution);
            e.holds(g.checks.at(0));
        }
    };
    CHECK_THROWS_AS(evaluate_often(), out_of_time);
}

TEST_CASE("a test of more events than relations fit into the memory is refused by name") {
    struct : base_values {
        void fill(const std::string&, bool, word*) const override {}
    } const nothing;
    const graph g = run("acyclic (po ; po)+\n");
    evaluator e(g);
    CHECK_THROWS_WITH(e.start(extent(100'000), nothing), Catch::Contains("too many events (100000)"));
}

TEST_CASE("sets and relations end with the last event, also what is everything or the rest") {
    CHECK(first_check_holds("empty ~(W | R)"));
    CHECK(first_check_holds("empty ~(po | ~po)"));
    CHECK(first_check_holds("empty _ \\ (W | R)"));
    CHECK(first_check_holds("empty (~(po \\ po) \\ (po | ~po))"));
    CHECK(first_check_holds("let f(r) = r | _\nempty f(po) \\ (po | ~po)"));
    CHECK(first_check_holds("~empty ~W"));
    CHECK(first_check_holds("empty ~W \\ R"));
    CHECK(first_check_holds("empty ~po \\ (po^-1 | id)"));
}

TEST_CASE("each operator has its own meaning, and not its neighbour's") {
    CHECK(first_check_holds("empty (po | po^-1) \\ (po^-1 | po)"));
    CHECK(first_check_holds("~empty (po | po^-1) \\ po"));
    CHECK(first_check_holds("empty po \\ (po | po^-1)"));
    CHECK(first_check_holds("~empty po \\ po^-1"));
    CHECK(first_check_holds("empty po & po^-1"));
    CHECK(first_check_holds("empty id \\ po*"));
    CHECK(first_check_holds("irreflexive po+"));
    CHECK(first_check_holds("empty id \\ po?"));
    CHECK(first_check_holds("empty po \\ po?"));
    CHECK(first_check_holds("~empty ([W] ; po ; [W])"));
    CHECK(first_check_holds("empty ([W] ; po) \\ (W * _)"));
    CHECK(first_check_holds("empty (po ; [W]) \\ (_ * W)"));
    CHECK(first_check_holds("~empty ([R] ; po)"));
    CHECK(first_check_holds("empty ([R] ; po) \\ (R * W)"));
    CHECK(first_check_holds("~empty domain([W] ; po ; [R]) & W"));
    CHECK(first_check_holds("empty domain(po ; [R]) & R"));
    CHECK(first_check_holds("empty range([R] ; po) \\ W"));
    CHECK(first_check_holds("empty (W | R) \\ domain(po) \\ range(po)"));
    CHECK(first_check_holds("empty _ \\ domain(po) \\ range(po)"));
    CHECK(first_check_holds("~empty range(po) & R"));
    CHECK(first_check_holds("~empty range(po) & W"));
    CHECK(first_check_holds("let nothing = 0\nempty id \\ nothing*"));
    CHECK(first_check_holds("let nothing = 0\nempty id \\ nothing?"));
    CHECK(first_check_holds("let nothing = 0\nempty po \\ (nothing | po)"));
    CHECK(first_check_holds("let nothing = 0\nempty po \\ (po | nothing)"));
    CHECK(first_check_holds("irreflexive po | po^-1"));
    CHECK_FALSE(first_check_holds("acyclic po | po^-1"));
    CHECK_FALSE(first_check_holds("~acyclic po"));
    CHECK_FALSE(first_check_holds("~irreflexive po"));
    CHECK(first_check_holds("~irreflexive po ; po^-1"));
}

TEST_CASE("different values are those that differ, asked anew for each choice of reads-from") {
    struct : event_values {
        bool same = false;
        bool differ(std::size_t a, std::size_t b) const override { return !same && a != b; }
    } values;
    const small_execution execution;
    const graph g = run("empty different-values(po)\n");
    evaluator e(g);
    e.start(extent(3), execution);
    e.set_values(&values);
    CHECK_FALSE(e.holds(g.checks.at(0)));
    values.same = true;
    e.reads_changed();
    CHECK(e.holds(g.checks.at(0)));
}

TEST_CASE("a model forbids incoherence only if it forbids each of its shapes") {
    const auto shapes = [](const std::string& checks) {
        return coherence_of(run("include \"cos.cat\"\nlet po-loc = po & loc\n" + checks));
    };
    const std::vector<std::string> each{
        "irreflexive rf ; po-loc\n", "irreflexive co ; po-loc\n", "irreflexive (rf^-1 ; co) ; po-loc\n",
        "irreflexive co ; rf ; po-loc\n", "irreflexive (rf^-1 ; co) ; rf ; po-loc\n"};
    for (std::size_t without = 0; without <= each.size(); ++without) {
        std::string checks;
        for (std::size_t k = 0; k < each.size(); ++k)
            if (k != without) checks += each[k];
        INFO(checks);
        CHECK(shapes(checks).all == (without == each.size()));
        CHECK(shapes(checks).read_own_future == (without != 0));
    }
    const std::string rest = each[1] + each[2] + each[3] + each[4];
    CHECK_FALSE(shapes(rest + "~irreflexive rf ; po-loc\n").all);
    CHECK_FALSE(shapes(rest + "undefined_unless irreflexive rf ; po-loc as race\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive rf ; (po-loc & (W * W))\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive rf ; (po-loc \\ (R * W))\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive (rf ; po-loc) ; rf\n").all);
    CHECK(shapes(rest + "irreflexive rf ; (po-loc \\ id)\n").all);
    CHECK(shapes(rest + "irreflexive rf ; co? ; po-loc\n").all);
    CHECK(shapes(rest + "irreflexive rf ; po-loc+\n").all);
    CHECK(shapes(rest + "irreflexive rf ; co* ; po-loc\n").all);
    CHECK_FALSE(shapes(rest + "irreflexive rf ; co+ ; po-loc\n").all);
    CHECK(shapes(rest + "let rec hb = po-loc | (hb ; hb)\nirreflexive rf ; hb\n").all);
}
