// SPDX-License-Identifier: Apache-2.0
// mpirun -n N ringproof mpi PROGRAM …: every rank searches; rank 0 also gives the work.

#include "../../src/outcome/invocation.hpp"
#include "../coordinator.hpp"
#include "../part_text.hpp"
#include "../worker.hpp"
#include "channel.hpp"
#include "options.hpp"

#include "../../parts/merge.hpp"
#include "../../parts/print.hpp"

#include <ringproof/command/child.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/progress.hpp>
#include <ringproof/command/temporary_folder.hpp>
#include <ringproof/command/verb.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace ringproof::verify::ranks;
using namespace std::chrono_literals;
using ringproof::command::exit_code, ringproof::command::json;
using kind = message::kind;

std::atomic<bool> asked_to_stop{false};

double now() {
    static const auto begin = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Sleeps longer the longer nothing happens: a rank that looks has a CPU that searches beside it.
class naps {
  public:
    void after(bool something) {
        length_ = something ? 200us : std::min<std::chrono::microseconds>(length_ * 2, 50ms);
        usleep(static_cast<useconds_t>(length_.count()));
    }

  private:
    std::chrono::microseconds length_{200};
};

/// All searches that the command names, none of which has begun.
std::vector<piece> first_pieces(std::vector<std::string> words, const std::string& folder) {
    constexpr double patience = 3600; // it may have to compile
    const std::string file = folder + "/searches";
    words.insert(words.end(), {"--list", "--checkpoint", file});
    if (words.front().find('/') == std::string::npos)
        if (const std::string path = ringproof::command::program_in_path(words.front()); !path.empty())
            words.front() = path;
    const auto answer =
        ringproof::command::run_child(words, patience, ringproof::command::heard::output_and_errors);
    if (!answer.ended) throw std::invalid_argument(fmt::format("{}: {}", words.front(), answer.why));
    if (answer.exit_code != 0) throw std::invalid_argument(answer.output);
    std::vector<piece> all = pieces_of(ringproof::command::read_text(file));
    fs::remove(file);
    return all;
}

class rank {
  public:
    rank(channel& c, const options& o)
        : channel_(c), options_(o), worker_(o.command, {o.first_turn, o.turn}) {}
    virtual ~rank() = default;
    rank(const rank&) = delete;
    rank& operator=(const rank&) = delete;

    void run() {
        naps sleep;
        while (!over()) {
            bool something = false;
            while (auto got = channel_.receive()) {
                something = true;
                hear(got->first, std::move(got->second));
            }
            if (auto m = worker_.look()) {
                something = true;
                channel_.send(0, *m);
            }
            if (now() >= sign_at_) {
                sign_at_ = now() + 1;
                channel_.send(0, {kind::here, worker_.assignment(), 0, host_});
            }
            something |= lead();
            sleep.after(something);
        }
    }

  protected:
    virtual void hear(rank_id /*from*/, message m) {
        if (m.what == kind::end) {
            ended_ = true;
            channel_.send(0, {kind::bye});
        } else {
            worker_.hear(m);
        }
    }
    virtual bool lead() { return false; }
    virtual bool over() { return ended_; }

    channel& channel_;
    const options& options_;
    worker worker_;
    std::string host_ = channel_.host();
    double sign_at_ = 0;
    bool ended_ = false;
};

class leading_rank final : public rank {
  public:
    leading_rank(channel& c, const options& o, store& s, std::vector<piece> open)
        : rank(c, o), coordinator_(
                          {
                              .ranks = c.ranks(),
                              .lost_after = o.lost_after,
                              .budget = o.seconds,
                          },
                          s, std::move(open), [this](const std::string& text) { warn(text); }),
          estimator_(o.command), progress_(o.quiet) {}

    const coordinator& found() const { return coordinator_; }
    void quiet() { progress_.clear(); }

  private:
    void warn(const std::string& text) {
        progress_.clear();
        fmt::print(stderr, "{}\n", text.substr(0, text.find_last_not_of('\n') + 1));
    }

    void hear(rank_id from, message m) override {
        if (m.what <= kind::unusable)
            coordinator_.hear(from, std::move(m), now());
        else
            rank::hear(from, std::move(m));
    }

    bool lead() override {
        if (asked_to_stop) coordinator_.give_up(now());
        bool something = false;
        for (const auto& [to, m] : coordinator_.tell(now())) {
            something = true;
            channel_.send(to, m);
        }
        if (now() < shown_at_) return something;
        shown_at_ = now() + 0.5;
        const coordinator::figures f = coordinator_.now();
        if (!options_.quiet)
            if (const auto sizes = estimator_.look(now(), f.open_searches)) coordinator_.note(*sizes);
        progress_.update(f.done, fmt::format("{} of {} searches, {} of {} ranks busy, {}",
                                             f.searches - f.open_searches, f.searches, f.busy, f.ranks,
                                             f.in_words()));
        return something;
    }

    bool over() override { return coordinator_.over(now()); }

    coordinator coordinator_;
    estimator estimator_;
    ringproof::command::progress progress_;
    double shown_at_ = 0.5;
};

/// Tells all ranks that it is over, and waits a moment for their answers.
/// @return whether all of them are there
bool part_from_all(channel& c) {
    constexpr double patience = 3;
    for (rank_id to = 1; to < c.ranks(); ++to) c.send(to, {kind::end});
    rank_id said = 1;
    for (const double until = now() + patience; said < c.ranks() && now() < until; usleep(1000))
        while (auto got = c.receive()) said += got->second.what == kind::bye;
    for (rank_id to = 1; to < c.ranks() && said == c.ranks(); ++to) c.send(to, {kind::part});
    return said == c.ranks();
}

/// @return whether rank 0 has found that all are there
bool wait_for_the_others(channel& c) {
    constexpr double patience = 6; // more than that of rank 0
    for (const double until = now() + patience; now() < until; usleep(1000))
        while (auto got = c.receive())
            if (got->second.what == kind::part) return true;
    return false;
}

void write_result(const ringproof::verify::merged_results& all, const options& o, rank_id ranks,
                  std::size_t lost, const std::vector<std::string>& invocation) {
    json document = ringproof::command::make_document("ringproof-verify/1", invocation);
    if (!all.environment.empty()) document["environment"] = all.environment;
    document["ranks"] = {{"count", ranks}, {"lost", lost}, {"seconds", now()}};
    for (const json& result : all.results) document["results"].push_back(result);
    ringproof::command::write_document(document, o.json);
}

int lead(channel& c, const options& o, const std::vector<std::string>& invocation) {
    std::optional<ringproof::command::temporary_folder> temporary;
    if (o.checkpoint.empty()) temporary.emplace("ringproof-ranks");
    store kept(temporary ? temporary->path().string() : o.checkpoint, o.command);
    std::vector<piece> open = kept.read();
    if (!kept.resumes() || (open.empty() && kept.results().empty())) {
        open = first_pieces(o.command, kept.folder());
        for (std::size_t i = 0; i < open.size(); ++i) {
            open[i].id = i + 1;
            kept.put(open[i]);
        }
    }
    leading_rank self(c, o, kept, std::move(open));
    self.run();
    self.quiet();
    const coordinator& found = self.found();
    const auto results = ringproof::verify::merge(kept.results(), found.left());
    std::FILE* const out = o.json == "-" ? stderr : stdout;
    for (const json& result : results.results) ringproof::verify::print_summed(result, out);
    for (const std::string& text : results.messages) fmt::print(stderr, "{}\n", text);
    if (!o.json.empty()) write_result(results, o, c.ranks(), found.lost(), invocation);
    if (!found.failure().empty()) fmt::print(stderr, "error: {}\n", found.failure());
    if (!temporary && !found.left().empty())
        fmt::print(stderr, "to go on: the same command; {} has what is left\n", kept.folder());
    if (!found.failure().empty())
        return to_int(found.failed_by_input() ? exit_code::usage : exit_code::internal);
    if (asked_to_stop) return to_int(exit_code::interrupted);
    const exit_code code = code_of(results);
    return to_int(!results.messages.empty() && code != exit_code::refuted ? exit_code::inconclusive : code);
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> invocation = ringproof::verify::user_command(argc, argv);
    channel c(argc, argv);
    options o;
    int code = parse(argc, argv, c.self() == 0, o);
    if (code >= 0) {
        c.end(true);
        return code;
    }
    const auto on_signal = [](int) { asked_to_stop = true; };
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    code = ringproof::command::run_verb("error", [&] {
        if (c.self() == 0) return lead(c, o, invocation);
        rank(c, o).run();
        return 0;
    });
    const bool all_there = c.self() == 0 ? part_from_all(c) : wait_for_the_others(c);
    std::fflush(stdout);
    c.flush(1);
    // With a rank that is dead, MPI waits for ever for it.
    if (!all_there) _exit(code);
    c.end(true);
    return code;
}
