// SPDX-License-Identifier: Apache-2.0
#include "baseline.hpp"

#include "processes.hpp"
#include "weaken.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ringproof::verify {
namespace {

/// Whether the program says the order there, itself or in a call of <atomic>. What has no source is within a library;
/// other headers of the library (the counts of std::shared_ptr) ask for orders of their own.
bool is_asked_for(const source_position& at) {
    return at.known() && (at.direct || at.through.find("atomic") != std::string::npos);
}

} // namespace

bool baseline::executes(const search_of& search, const order_site& site) {
    return std::any_of(site.keys.begin(), site.keys.end(), [&](std::uint64_t key) {
        return std::binary_search(search.executed.begin(), search.executed.end(), key);
    });
}

baseline stand_as_they_are(const std::vector<const subject*>& chosen, const command_options& options,
                           attempts& how, const symbols& names, command::progress& progress) {
    std::vector<search_of> all;
    for (const subject* s : chosen) {
        if (s->options.expect != verdict::verified) continue; // a mutant says nothing here
        std::vector<memory_model> models = models_for(*s, options);
        const auto all_orders_are_one = [](auto m) { return m == memory_model::sc || m == memory_model::ra; };
        if (!std::all_of(models.begin(), models.end(), all_orders_are_one))
            models.erase(std::remove_if(models.begin(), models.end(), all_orders_are_one), models.end());
        for (const memory_model m : models) all.push_back({s, m, 0, 0, {}});
    }
    process_options processes;
    processes.jobs = options.jobs;
    processes.on_progress = [&](std::size_t done) {
        progress.update(static_cast<double>(done) / static_cast<double>(all.size()),
                        fmt::format("as they stand: {} of {} searches", done, all.size()));
    };
    const std::vector<std::string> results = in_processes(
        all.size(), [&](std::size_t i) { return pack(how.run(all[i], {}, options.seconds)); }, processes);
    baseline found;
    std::set<std::uint64_t> keys;
    for (std::size_t i = 0; i < all.size(); ++i) {
        attempt a = unpack(results[i]);
        if (a.verdict == verdict::inconclusive) {
            found.unfinished.push_back(all[i].name() + ": " + a.message);
        } else if (a.verdict != verdict::verified) {
            const auto& named = all[i].what->options.models;
            const bool meant = std::find(named.begin(), named.end(), all[i].model) != named.end();
            (meant ? found.failing : found.not_meant).push_back(all[i].name() + ": " + a.message);
        } else {
            keys.insert(a.executed.begin(), a.executed.end());
            all[i].seconds = a.seconds;
            all[i].longest = a.longest;
            all[i].executed = std::move(a.executed);
            std::sort(all[i].executed.begin(), all[i].executed.end());
            found.seconds += a.seconds;
            found.searches.push_back(all[i]);
        }
    }
    std::stable_sort(found.searches.begin(), found.searches.end(),
                     [](const search_of& a, const search_of& b) { return a.longest < b.longest; });
    const auto is_fence = [](const order_site& site) {
        return site.what == ordered::fence || site.what == ordered::signal_fence;
    };
    std::set<std::uint64_t> words;
    for (order_site& site : sites_of({keys.begin(), keys.end()}, names)) {
        if (site.function() == "get_word" || site.function() == "put_word")
            words.insert(site.keys.begin(), site.keys.end());
        if (is_asked_for(site.at) && (site.asked != order::relaxed || (how.strongest() && !is_fence(site))))
            found.sites.push_back(std::move(site));
    }
    for (search_of& s : found.searches)
        s.atomic_data = std::any_of(s.executed.begin(), s.executed.end(),
                                    [&](std::uint64_t key) { return words.count(key) > 0; });
    return found;
}

void print_left_out(const baseline& base, const command_options& options, std::FILE* out) {
    for (const std::string& text : base.unfinished) fmt::print(out, "left out, inconclusive: {}\n", text);
    if (options.verbose)
        for (const std::string& text : base.not_meant)
            fmt::print(out, "left out, fails under a model that it does not name: {}\n", text);
    else if (!base.not_meant.empty())
        fmt::print(out, "{} left out, which fail{} under a model that {} not name (--verbose shows them)\n",
                   base.not_meant.size() == 1 ? "1 search"
                                              : fmt::format("{} searches", base.not_meant.size()),
                   base.not_meant.size() == 1 ? "s" : "", base.not_meant.size() == 1 ? "it does" : "they do");
}

} // namespace ringproof::verify
