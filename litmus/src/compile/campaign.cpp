// SPDX-License-Identifier: Apache-2.0
#include "campaign.hpp"
#include "compare.hpp"
#include "compiler.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

namespace ringproof::litmus::compiled {
namespace {

using json = nlohmann::ordered_json;
using clock_type = std::chrono::steady_clock;

constexpr std::size_t tests_of_a_batch = 200;
constexpr std::size_t most_told_in_full = 40; ///< results; of more, only those that are not consistent

double since(clock_type::time_point start) {
    return std::chrono::duration<double>(clock_type::now() - start).count();
}

/// A test on its way through the compilers.
struct item {
    std::string file, name;
    std::string error; ///< not empty: it is not compiled
    unit text;
    std::optional<source_side> source;
    std::string model;               ///< of the source
    std::vector<comparison> results; ///< one for each compiler
};

/// What a batch has found out: told in the order of the files, whichever batch ends first.
struct batch {
    std::vector<item> items;
    std::vector<tally> sums;
    double source_seconds = 0;
    bool done = false;
};

class campaign {
  public:
    campaign(const campaign_options& o, const std::atomic<bool>& interrupted)
        : options_(o), interrupted_(interrupted) {
        for (const std::string& command : o.compilers) {
            try {
                compilers_.push_back(find_compiler(command));
            } catch (const no_compiler& error) {
                result_.absent.emplace_back(error.what());
            }
        }
        for (const compiler& c : compilers_) {
            models_.try_emplace(std::string(c.target->model), model::load(std::string(c.target->model), {}));
            result_.compilers.push_back({c.command, c.version, std::string(c.target->dialect)});
        }
        if (!o.model.empty()) source_models_.try_emplace(o.model, model::load(o.model, o.setting));
    }

    campaign_result run(const std::function<void(const campaign_item&)>& tell, json& results) {
        const std::size_t files = options_.files.size();
        batches_.resize((files + tests_of_a_batch - 1) / tests_of_a_batch);
        const auto work = [&] {
            for (std::size_t b; (b = next_.fetch_add(1)) < batches_.size() && !interrupted_.load();) {
                batch found = run_batch(b);
                const std::lock_guard<std::mutex> lock(mutex_);
                batches_[b] = std::move(found);
                batches_[b].done = true;
                for (; told_ < batches_.size() && batches_[told_].done; ++told_)
                    finish(batches_[told_], tell, results);
            }
        };
        std::vector<std::thread> helpers;
        if (!compilers_.empty()) {
            for (unsigned k = 1; k < options_.jobs; ++k) helpers.emplace_back(work);
            work();
        }
        for (std::thread& t : helpers) t.join();
        return result_;
    }

  private:
    /// The source's model, read at the first test that needs it. Load buffering is allowed by C11, and made by
    /// processors and compilers; RC11 forbids it by an axiom, which is left out unless the user names the model.
    const model& source_model(c_flavour flavour) {
        const std::lock_guard<std::mutex> lock(models_mutex_);
        if (!options_.model.empty()) return source_models_.at(options_.model);
        const std::string name = flavour == c_flavour::linux_kernel ? "lkmm" : "rc11";
        const auto at = source_models_.find(name);
        if (at != source_models_.end()) return at->second;
        cat::setting setting = options_.setting;
        if (name == "rc11") setting.skipped_checks.insert("no-thin-air");
        return source_models_.emplace(name, model::load(name, setting)).first->second;
    }

    limits search_limits() const {
        limits l;
        l.seconds = options_.seconds;
        l.interrupted = &interrupted_;
        return l;
    }

    void read(item& one, std::size_t number) {
        one.name = std::filesystem::path(one.file).stem().string();
        try {
            watch time(options_.seconds, &interrupted_);
            loaded_test loaded = load_test(read_source(one.file), options_.unroll, nullptr, &time);
            if (loaded.text.dialect != "C")
                throw not_compilable(
                    fmt::format("--compile takes tests in C, this one is in {}", loaded.text.dialect));
            one.name = loaded.text.name;
            one.text = make_unit(loaded.text, number);
            const model& m = source_model(loaded.flavour);
            one.model = m.name();
            if (options_.model.empty() && one.model == "rc11") one.model += " without no-thin-air";
            one.source = simulate_source(std::move(loaded), one.text, m, search_limits());
        } catch (const not_compilable& error) {
            one.error = fmt::format("{}: {}", one.file, error.what());
        } catch (const std::runtime_error& error) {
            one.error = error.what();
        }
    }

    batch run_batch(std::size_t index) {
        batch b;
        b.sums.resize(compilers_.size());
        const std::size_t begin = index * tests_of_a_batch,
                          end = std::min(begin + tests_of_a_batch, options_.files.size());
        const clock_type::time_point start = clock_type::now();
        for (std::size_t i = begin; i < end && !interrupted_.load(); ++i) {
            b.items.emplace_back();
            b.items.back().file = options_.files[i];
            b.items.back().results.resize(compilers_.size());
            read(b.items.back(), b.items.size() - 1);
        }
        b.source_seconds = since(start);
        std::vector<std::map<std::string, std::size_t>> known(
            b.items.size()); // code -> the compiler that has made it first
        for (std::size_t c = 0; c < compilers_.size(); ++c) {
            const clock_type::time_point compiler_start = clock_type::now();
            run_compiler(b, c, known);
            b.sums[c].seconds = since(compiler_start);
        }
        return b;
    }

    void run_compiler(batch& b, std::size_t c, std::vector<std::map<std::string, std::size_t>>& known) {
        std::vector<std::size_t> c11, kernel; // their words differ
        for (std::size_t i = 0; i < b.items.size(); ++i) {
            item& one = b.items[i];
            comparison& result = one.results[c];
            if (!one.error.empty()) {
                result.verdict = "error";
                result.message = one.error;
            } else if (!one.source->undefined.empty()) {
                result.verdict = "skipped";
                result.message = fmt::format("the test has undefined behaviour ({}): any outcome is right",
                                             one.source->undefined);
            } else {
                (one.source->loaded.flavour == c_flavour::linux_kernel ? kernel : c11).push_back(i);
            }
        }
        std::map<std::string, code> functions;
        for (const bool linux_kernel : {false, true})
            translate_all(b, c, linux_kernel ? kernel : c11, linux_kernel, functions);
        for (const std::vector<std::size_t>* which : {&c11, &kernel})
            for (const std::size_t i : *which)
                if (b.items[i].results[c].verdict.empty()) judge(b, c, i, functions, known[i]);
    }

    /// Compiles these tests as one text. If the compiler refuses it, the halves, down to the tests that it refuses.
    void translate_all(batch& b, std::size_t c, const std::vector<std::size_t>& which, bool linux_kernel,
                       std::map<std::string, code>& functions) {
        if (which.empty() || interrupted_.load()) return;
        std::string text = words(linux_kernel);
        for (const std::size_t i : which) text += b.items[i].text.text;
        const compiler& by = compilers_[c];
        const translation t = translate(by, text, folder_);
        if (t.complaint.empty()) {
            functions.merge(split_functions(t.assembly, by.target->comment, "rp"));
            return;
        }
        if (which.size() == 1) {
            comparison& result = b.items[which[0]].results[c];
            result.verdict = "error";
            result.message = fmt::format("the compiler refuses it: {}", t.complaint);
            return;
        }
        const auto middle = which.begin() + static_cast<std::ptrdiff_t>(which.size() / 2);
        translate_all(b, c, {which.begin(), middle}, linux_kernel, functions);
        translate_all(b, c, {middle, which.end()}, linux_kernel, functions);
    }

    void judge(batch& b, std::size_t c, std::size_t i, const std::map<std::string, code>& functions,
               std::map<std::string, std::size_t>& known) {
        item& one = b.items[i];
        comparison& result = one.results[c];
        if (interrupted_.load()) {
            result.verdict = "inconclusive";
            result.message = "interrupted";
            return;
        }
        const machine& target = *compilers_[c].target;
        std::string text;
        try {
            const compiled_test made = machine_test(target, one.source->loaded.text, one.text, i, functions);
            text = made.text;
            const auto [at, is_new] = known.emplace(text, c);
            if (!is_new) {
                result = one.results[at->second];
                return;
            }
            ++b.sums[c].distinct;
            // Without loops of its own, a test has only loops that try again what another thread has disturbed. A round
            // that fails changes nothing and orders more, so that rounds before the last one add no outcome.
            const int unroll = made.jumps_back + (one.text.loops ? options_.unroll : 0);
            result = compare(*one.source, one.text, text, models_.at(std::string(target.model)),
                             source_model(one.source->loaded.flavour), search_limits(), unroll);
        } catch (const unreadable& error) {
            result.verdict = "inconclusive";
            result.message = fmt::format("the compiled code cannot be read: {}", error.what());
        } catch (const std::runtime_error& error) { // the simulator's front end does not know an instruction
            result.verdict = "inconclusive";
            result.message = fmt::format("the compiled code cannot be simulated: {}", error.what());
            result.machine_test = text;
        }
    }

    void finish(batch& b, const std::function<void(const campaign_item&)>& tell, json& results) {
        result_.source_seconds += b.source_seconds;
        for (std::size_t c = 0; c < compilers_.size(); ++c) {
            result_.compilers[c].seconds += b.sums[c].seconds;
            result_.compilers[c].distinct += b.sums[c].distinct;
        }
        const bool in_full = options_.files.size() * compilers_.size() <= most_told_in_full;
        for (const item& one : b.items) {
            campaign_item told;
            for (std::size_t c = 0; c < compilers_.size(); ++c) {
                const comparison& r = one.results[c];
                count(result_.compilers[c], r.verdict);
                results.push_back(to_json(one, c));
                if (in_full || r.verdict != "consistent") told.log += to_log(one, c, in_full);
            }
            told.done = ++done_;
            told.of = options_.files.size();
            told.name = one.name;
            tell(told);
        }
        b = batch();
        b.done = true;
    }

    static void count(tally& t, const std::string& verdict) {
        ++t.tests;
        ++(verdict == "consistent" ? t.consistent
           : verdict == "refuted"  ? t.refuted
           : verdict == "skipped"  ? t.skipped
           : verdict == "error"    ? t.errors
                                   : t.inconclusive);
    }

    std::string to_log(const item& one, std::size_t c, bool in_full) const {
        const comparison& r = one.results[c];
        std::string head = fmt::format("{} [{}]: {}, {}\n", one.name, compilers_[c].command,
                                       r.verdict == "skipped" ? "not compared" : r.verdict, r.message);
        if (r.verdict == "skipped" && !in_full) return "";
        if (r.verdict != "refuted") return head;
        return fmt::format("{}A bug of the compiler, or of its mapping of atomics to {}:\n{}{}", head,
                           compilers_[c].target->dialect, r.explanation, r.machine_test);
    }

    json to_json(const item& one, std::size_t c) const {
        const comparison& r = one.results[c];
        const compiler& by = compilers_[c];
        json states = json::array();
        for (const std::string& state : r.machine_states) states.push_back({{"state", state}});
        json j = {{"name", one.name},
                  {"file", one.file},
                  {"dialect", "C"},
                  {"engine", "compiled"},
                  {"model", one.model},
                  {"compiler", {{"command", by.command}, {"version", by.version}}},
                  {"target", {{"dialect", by.target->dialect}, {"model", by.target->model}}},
                  {"verdict", r.verdict},
                  {"ok", r.verdict != "refuted" && r.verdict != "error"},
                  {"message", r.message},
                  {"states", std::move(states)},
                  {"forbidden", r.forbidden},
                  {"seconds", r.seconds}};
        if (r.verdict == "refuted") {
            j["message"] = fmt::format("{} (compiled by '{}')", r.message, by.command);
            j["explanation"] = r.explanation;
        }
        if (!r.machine_test.empty() && r.verdict != "consistent") j["compiled"] = r.machine_test;
        return j;
    }

    const campaign_options& options_;
    const std::atomic<bool>& interrupted_;
    std::vector<compiler> compilers_;
    std::map<std::string, model> models_;
    std::mutex models_mutex_;
    std::map<std::string, model> source_models_;
    scratch_folder folder_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::vector<batch> batches_;
    std::size_t told_ = 0, done_ = 0;
    campaign_result result_;
};

} // namespace

campaign_result compile_and_compare(const campaign_options& o, const std::atomic<bool>& interrupted,
                                    const std::function<void(const campaign_item&)>& tell, json& results) {
    return campaign(o, interrupted).run(tell, results);
}

std::string to_text(const campaign_result& r) {
    std::size_t width = std::string_view("compiler").size();
    for (const tally& t : r.compilers) width = std::max(width, t.compiler.size());
    std::string text = fmt::format("{:<{}}  {:<8} {:>6} {:>10} {:>8} {:>12} {:>12} {:>6} {:>8}\n", "compiler",
                                   width, "machine", "tests", "consistent", "refuted", "not compared",
                                   "inconclusive", "error", "seconds");
    for (const tally& t : r.compilers)
        text += fmt::format("{:<{}}  {:<8} {:>6} {:>10} {:>8} {:>12} {:>12} {:>6} {:>8.1f}\n", t.compiler,
                            width, t.machine, t.tests, t.consistent, t.refuted, t.skipped, t.inconclusive,
                            t.errors, t.seconds);
    return text;
}

} // namespace ringproof::litmus::compiled
