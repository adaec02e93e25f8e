// SPDX-License-Identifier: Apache-2.0
#include "campaign.hpp"

#include "../enumerate/search.hpp"
#include "../frontend/front_ends.hpp"
#include "../log/result.hpp"
#include "../operational/x86_tso.hpp"
#include "emulator.hpp"
#include "generate.hpp"

#include <ringproof/command/progress.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace ringproof::litmus {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

#if defined(__x86_64__)
constexpr bool is_x86 = true;
#else
constexpr bool is_x86 = false;
#endif
#if defined(__aarch64__)
constexpr bool is_aarch64 = true;
#else
constexpr bool is_aarch64 = false;
#endif

/// What a model allows a test.
struct allowed {
    std::string model;
    std::set<std::vector<std::int64_t>> states;
    bool race = false; ///< then it allows everything
};

class campaign {
  public:
    campaign(const campaign_options& o, const std::atomic<bool>& interrupted, json& results)
        : options_(o), interrupted_(interrupted), results_(results), progress_(o.quiet) {}

    campaign_result run() {
        if (!options_.model.empty()) model_of(options_.model); // wrong for all tests, not for each
        for (; index_ < options_.files.size() && !stopped(); ++index_) {
            try {
                run_file(file());
            } catch (const no_compiler&) {
                progress_.clear();
                throw;
            } catch (const not_on_this_machine& skip) {
                skip_file(skip.what());
            } catch (const syntax_error& error) {
                tell_problem(error.what());
                results_.back()["line"] = error.line();
            } catch (const std::runtime_error& error) {
                // Ctrl-C ends the compiler as well: that is no fault of the test.
                if (stopped()) break;
                tell_problem(error.what());
            }
        }
        progress_.clear();
        for (const auto& [reason, count] : skipped_)
            if (count > 1) fmt::print(stderr, "skipped: {} tests: {}\n", count, reason);
        return result_;
    }

  private:
    const std::string& file() const { return options_.files[index_]; }
    bool stopped() const { return interrupted_.load(std::memory_order_relaxed); }

    void run_file(const std::string& name) {
        const test t = parse_test(read_source(name));
        const std::vector<location> shown = shown_locations(t);
        std::optional<allowed> model;
        std::string code;
        bool emulated = false;
        if (x86::is_dialect(t.dialect)) {
            if (!is_x86) throw not_on_this_machine("tests of dialect X86 need an x86-64 machine");
            const x86::program program = x86::parse_program(t);
            code = generate(program, shown);
            model = options_.model.empty() ? explored(program, shown) : simulated(name, options_.model);
        } else if (t.dialect == "C") {
            const c_flavour flavour = load_test(t.from, unroll).flavour;
            const bool linux_kernel = flavour == c_flavour::linux_kernel;
            code = generate_c(t, linux_kernel, shown);
            // Not rc11: what it forbids of load buffering, an Arm processor may show.
            const char* ours = linux_kernel ? "lkmm" : "c11";
            model = simulated(name, options_.model.empty() ? ours : options_.model);
        } else if (t.dialect == "AArch64") {
            emulated = !is_aarch64;
            code = generate_aarch64(t, shown);
            model = simulated(name, options_.model.empty() ? "aarch64" : options_.model);
        } else if (t.dialect == "RISCV") {
            throw not_on_this_machine("tests of dialect RISCV do not run on this machine");
        } else {
            throw syntax_error(
                t.from, t.from.text.find(t.dialect),
                fmt::format("dialect '{}' is not supported: expected C, X86, X86_64 or AArch64", t.dialect));
        }
        const run_result ran = emulated ? run_in_emulator(code, shown.size(), options_.run, folder_)
                                        : run_here(t, code, shown.size());
        tell(t, shown, ran, model, emulated);
    }

    run_result run_here(const test& t, const std::string& code, std::size_t shown) {
        const library built(code, options_.compiler, folder_);
        run_options how = options_.run;
        const auto progress = [&](double fraction) {
            progress_.update((static_cast<double>(index_) + fraction) /
                                 static_cast<double>(options_.files.size()),
                             t.name);
        };
        const std::function<void(double)> silent = [](double) {};
        const trial attempt = [&](const run_options& o) {
            const run_result r = run_on_hardware(built.test(), shown, o, interrupted_, silent);
            const test_result counted = make_result(t, r.states);
            return score{static_cast<double>(counted.positive) / r.seconds, r.states.size(),
                         static_cast<double>(r.iterations) / r.seconds};
        };
        if (options_.tune != tuning::none) {
            const tuned found = options_.tune == tuning::brief
                                    ? tune_briefly(how, brief_trial, attempt, interrupted_)
                                    : tune(how, options_.tune_seconds, attempt, interrupted_);
            how = found.best;
            how.seconds = options_.run.seconds;
            // As many instances as were asked for, whatever the size of a batch.
            how.runs = std::max<std::uint64_t>(1, options_.run.runs * options_.run.size / how.size);
            progress_.clear();
            if (options_.print)
                fmt::print("Tuned {} {}\nTuned {} {:.3g} witnesses/s, {:.3g} before; {} settings tried\n",
                           t.name, as_options(how), t.name, found.after.witnesses, found.before.witnesses,
                           found.trials);
        }
        used_ = how;
        return run_on_hardware(built.test(), shown, how, interrupted_, progress);
    }

    void tell(const test& t, const std::vector<location>& shown, const run_result& ran,
              const std::optional<allowed>& model, bool emulated) {
        test_result r = make_result(t, ran.states);
        r.engine = emulated ? "emulator" : "hardware";
        r.seconds = ran.seconds;
        r.iterations = ran.iterations;
        r.workers = ran.workers;
        if (!emulated) r.affinity = to_string(used_.pinning), r.settings = as_options(used_);
        r.cpus = ran.cpus;
        if (model && model->race)
            r.note = fmt::format("{} finds a data race: it allows everything", model->model);
        else if (model)
            compare(*model, ran.states, r);
        if (emulated) r.note = "qemu-aarch64, an emulator: no evidence of what Arm processors do";
        progress_.clear();
        result_.ran = true;
        if (options_.print) fmt::print("{}\n", to_log(r));
        std::fflush(stdout);
        if (!r.holds()) {
            result_.refuted = true;
            fmt::print(stderr, "{}: ALARM: seen on this machine although {} forbids it:\n", file(), r.model);
            for (const auto& values : r.forbidden) fmt::print(stderr, "  {}\n", state_text(shown, values));
            fmt::print(stderr, "{}\n", t.from.text);
        }
        results_.push_back(to_json(r));
    }

    static void compare(const allowed& model, const histogram& seen, test_result& r) {
        r.model = model.model;
        r.allowed = model.states.size();
        for (const auto& [values, count] : seen)
            if (model.states.count(values) == 0) r.forbidden.push_back(values);
    }

    /// The operational machine needs no bound for loops.
    static std::optional<allowed> explored(const x86::program& program, const std::vector<location>& shown) {
        const std::optional<final_states> found = explore(program, shown, machine::tso);
        if (!found) return std::nullopt; // the verdict is then only "observed"
        return allowed{"x86-tso", {found->values.begin(), found->values.end()}, false};
    }

    const model& model_of(const std::string& name) {
        const auto at = models_.find(name);
        if (at != models_.end()) return at->second;
        return models_.emplace(name, model::load(name, options_.setting)).first->second;
    }

    std::optional<allowed> simulated(const std::string& name, const std::string& model_name) {
        watch time(simulation_seconds, &interrupted_);
        const loaded_test loaded = load_test(read_source(name), unroll, nullptr, &time);
        if (!loaded.complete) return std::nullopt;
        limits l;
        l.seconds = simulation_seconds;
        l.interrupted = &interrupted_;
        const model& m = model_of(model_name);
        const simulation s = simulate(loaded.text, loaded.what, m, l);
        if (!s.complete || s.bounded) return std::nullopt;
        allowed a{m.name(), {}, false};
        for (const std::string& flag : s.flags) a.race = a.race || flag.find("race") != std::string::npos;
        for (const state& one : s.states) {
            std::vector<std::int64_t> values;
            for (const value& v : one.values) {
                if (v.is_address()) return std::nullopt;
                values.push_back(v.number);
            }
            a.states.insert(std::move(values));
        }
        return a;
    }

    /// A folder may hold hundreds that cannot run here: each reason is told once, and how many in the end.
    void skip_file(const std::string& reason) {
        progress_.clear();
        if (skipped_[reason]++ == 0) fmt::print(stderr, "{}: skipped: {}\n", file(), reason);
        record(reason, "skipped");
        results_.back().erase("ok"); // nothing was found wrong
        result_.skipped = true;
    }

    void tell_problem(const std::string& what) {
        progress_.clear();
        fmt::print(stderr, "{}\n", what);
        record(what, "error");
        result_.bad_input = true;
    }

    void record(const std::string& what, const char* verdict) {
        results_.push_back({{"name", fs::path(file()).stem().string()},
                            {"file", file()},
                            {"engine", "hardware"},
                            {"verdict", verdict},
                            {"message", what},
                            {"ok", false}});
    }

    static constexpr int unroll = 2;
    static constexpr double brief_trial = 0.01; // seconds
    static constexpr double simulation_seconds = 10;

    const campaign_options& options_;
    const std::atomic<bool>& interrupted_;
    json& results_;
    command::progress progress_;
    std::size_t index_ = 0;
    campaign_result result_;
    run_options used_;                   // of the last test: as asked for, or as tuned
    std::map<std::string, int> skipped_; // reason → tests
    std::map<std::string, model> models_;
    scratch_folder folder_;
};

} // namespace

campaign_result run_campaign(const campaign_options& o, const std::atomic<bool>& interrupted, json& results) {
    return campaign(o, interrupted, results).run();
}

} // namespace ringproof::litmus
