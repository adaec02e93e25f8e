// SPDX-License-Identifier: Apache-2.0
#include "batch.hpp"
#include "../enumerate/report.hpp"
#include "../enumerate/search.hpp"
#include "../explore/explored.hpp"
#include "../frontend/c_macros.hpp"
#include "../frontend/front_ends.hpp"
#include "../graph/writer.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

namespace ringproof::litmus {
namespace {

using json = nlohmann::ordered_json;

/// An execution to be drawn, which waits until the files before it are done, so that names are as without --jobs.
struct drawing {
    std::shared_ptr<const test> of;
    std::string model;
    execution what;
};

struct file_result {
    std::vector<drawing> drawings;
    std::vector<batch_item> items;
    json results = json::array();
    batch_result summary;
    bool done = false;
};

/// One of ours for processors, or one that says which processor it is for.
bool is_of_machine(const model& m) {
    static const std::set<std::string> ours{"x86-tso", "aarch64", "riscv"},
        theirs{"X86", "X86_64", "AArch64", "RISCV", "ARM", "PPC"};
    return ours.count(m.name()) != 0 || theirs.count(m.architecture()) != 0;
}

class batch_run {
  public:
    batch_run(const batch_options& o, const std::atomic<bool>& interrupted)
        : options_(o), interrupted_(interrupted), done_(o.files.size()), graphs_(o.graph_folder) {}

    batch_result run(const std::function<void(const batch_item&)>& tell, json& results) {
        // A model that cannot be read is an error of the command, not of each test.
        for (const std::string& name : options_.models) model_of(name);
        for (const std::string& name : options_.macros) macros_.add(read_source(name));
        const auto work = [&] {
            for (std::size_t i; (i = next_.fetch_add(1)) < options_.files.size() && !interrupted_.load();) {
                file_result r = run_file(options_.files[i]);
                const std::lock_guard<std::mutex> lock(mutex_);
                done_[i] = std::move(r);
                done_[i].done = true;
                for (; told_ < done_.size() && done_[told_].done; ++told_)
                    finish(done_[told_], tell, results);
            }
        };
        std::vector<std::thread> helpers;
        for (unsigned k = 1; k < options_.jobs; ++k) helpers.emplace_back(work);
        work();
        for (std::thread& t : helpers) t.join();
        return summary_;
    }

  private:
    void finish(file_result& r, const std::function<void(const batch_item&)>& tell, json& results) {
        for (batch_item& item : r.items) {
            item.index = told_;
            item.of = done_.size();
            tell(item);
        }
        for (const drawing& d : r.drawings) graphs_.write(*d.of, d.model, d.what);
        for (json& one : r.results) results.push_back(std::move(one));
        summary_.bad_input = summary_.bad_input || r.summary.bad_input;
        summary_.refuted = summary_.refuted || r.summary.refuted;
        summary_.inconclusive = summary_.inconclusive || r.summary.inconclusive;
        r = file_result();
        r.done = true;
    }

    const model& model_of(const std::string& name) {
        const std::lock_guard<std::mutex> lock(models_mutex_);
        const auto at = models_.find(name);
        if (at != models_.end()) return at->second;
        return models_.emplace(name, model::load(name, options_.setting)).first->second;
    }

    file_result run_file(const std::string& file) {
        file_result r;
        const auto problem = [&](const std::string& what) {
            batch_item item;
            item.error = what;
            item.name = std::filesystem::path(file).stem().string();
            r.results.push_back({{"name", item.name},
                                 {"file", file},
                                 {"engine", options_.explores ? "explorer" : "simulator"},
                                 {"verdict", "error"},
                                 {"message", what},
                                 {"ok", false}});
            r.items.push_back(item);
            r.summary.bad_input = true;
        };
        // What one model fails on, another may not.
        const auto each_model = [&](const std::string& by_default, const auto& ask) {
            std::vector<std::string> names = options_.models;
            if (names.empty()) names.push_back(by_default);
            for (const std::string& name : names) {
                try {
                    ask(name);
                } catch (const std::runtime_error& error) {
                    problem(fmt::format("{}: {}", file, error.what()));
                }
            }
        };
        try {
            if (options_.explores) {
                const test t = parse_test(read_source(file));
                each_model(explorers_model(t), [&](const std::string& name) { explore_one(t, name, r); });
            } else {
                watch time(options_.seconds, &interrupted_);
                const loaded_test loaded = load_test(read_source(file), options_.unroll, &macros_, &time);
                each_model(models_for(loaded).front(),
                           [&](const std::string& name) { run_one(loaded, model_of(name), r); });
            }
        } catch (const std::runtime_error& error) {
            problem(error.what());
        }
        return r;
    }

    limits bounds() const {
        limits l;
        l.seconds = options_.seconds;
        l.interrupted = &interrupted_;
        return l;
    }

    /// @return the item, for what else there is to say of it
    static batch_item& add(const test& t, const std::string& model, const simulation& s, file_result& r) {
        const std::string found = verdict(t, s);
        r.summary.refuted = r.summary.refuted || found == "refuted";
        r.summary.inconclusive = r.summary.inconclusive || found == "inconclusive";
        r.results.push_back(to_json(t, model, s));
        r.items.emplace_back();
        r.items.back().name = t.name;
        r.items.back().log = to_log(t, model, s);
        return r.items.back();
    }

    void explore_one(const test& t, const std::string& model, file_result& r) {
        if (const std::string why = cannot_explore(t, model); !why.empty()) throw std::runtime_error(why);
        add(t, model, explore_test(t, options_.unroll, bounds()).result, r);
        r.results.back()["engine"] = "explorer";
    }

    void run_one(const loaded_test& loaded, const model& m, file_result& r) {
        limits l = bounds();
        l.keep = options_.graphs;
        l.why = options_.why;
        if (options_.whole_executions) l.parts_after = limits::never;
        const simulation s = loaded.complete ? simulate(loaded.text, loaded.what, m, l)
                                             : not_simulated(loaded.text, options_.unroll);
        batch_item& item = add(loaded.text, m.name(), s, r);
        if (loaded.text.dialect == "C" && is_of_machine(m))
            item.warning = fmt::format(
                "{}: warning: {} is the model of a machine, and this is a C test: what a compiler does to it "
                "is left out; use -m {}, or write the test in the machine's dialect",
                loaded.text.from.file, m.name(), models_for(loaded).front());
        if (options_.graphs != 0) {
            const auto of = std::make_shared<const test>(loaded.text);
            json shown = json::array();
            for (const execution& x : s.executions) {
                shown.push_back(to_json(x, loaded.text.from));
                r.drawings.push_back({of, m.name(), x});
            }
            r.results.back()["executions"] = std::move(shown);
        }
    }

    const batch_options& options_;
    const std::atomic<bool>& interrupted_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::vector<file_result> done_;
    std::size_t told_ = 0;
    batch_result summary_;
    graph_writer graphs_;
    c::macros macros_;
    std::mutex models_mutex_;
    std::map<std::string, model> models_;
};

} // namespace

batch_result simulate_all(const batch_options& o, const std::atomic<bool>& interrupted,
                          const std::function<void(const batch_item&)>& tell, json& results) {
    return batch_run(o, interrupted).run(tell, results);
}

} // namespace ringproof::litmus
