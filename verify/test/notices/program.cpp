// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "../oracle/random_numbers.hpp"

#include <algorithm>
#include <utility>

namespace ringproof::verify::notices {
namespace {

using enum step_kind;

class generator {
  public:
    explicit generator(std::uint64_t seed) : random_(seed), tells_twice_(seed % 3 == 1) {}

    program make() {
        program p;
        lock_ = static_cast<std::uint8_t>(random_.below(locks));
        p.threads.push_back(waits());
        p.threads.push_back(random_.percent(70) ? puts_and_looks() : any(3));
        p.threads.push_back(random_.percent(70) ? notices() : any(3));
        if (random_.percent(40)) p.threads.push_back(random_.percent(50) ? notices() : any(2));
        // Which thread comes first decides what is revisited.
        for (std::size_t i = p.threads.size(); i-- > 1;)
            std::swap(p.threads[i],
                      p.threads[static_cast<std::size_t>(random_.below(static_cast<int>(i) + 1))]);
        return p;
    }

  private:
    std::uint8_t below(std::uint8_t limit) { return static_cast<std::uint8_t>(random_.below(limit)); }
    step flag(step_kind what, std::uint8_t which) {
        using enum std::memory_order;
        constexpr std::memory_order of_store[] = {relaxed, release, seq_cst, seq_cst},
                                    of_load[] = {relaxed, acquire, seq_cst, seq_cst},
                                    of_add[] = {relaxed, acq_rel, seq_cst, seq_cst};
        const std::size_t order = below(4);
        return {what, which, what == store ? of_store[order] : what == look ? of_load[order] : of_add[order]};
    }
    step looks_at(std::uint8_t which) { return flag(random_.percent(60) ? look : add, which); }
    step tells(std::uint8_t which) { return flag(random_.percent(80) ? store : add, which); }

    /// A loop that takes the lock and gives it back until there is something.
    step loop() {
        if (lock_ < 2 && random_.percent(25)) return {random_.percent(60) ? both : both_or, lock_};
        const step_kind kinds[] = {poll, poll, poll_free, wait};
        const step_kind what = kinds[below(4)];
        return {what == wait && lock_ >= 2 ? poll : what, lock_};
    }
    std::vector<step> waits() {
        std::vector<step> all;
        if (random_.percent(20))
            all.push_back(random_.percent(50) ? tells(below(flags)) : looks_at(below(flags)));
        all.push_back(loop());
        if (random_.percent(85)) all.push_back(tells(0));
        if (random_.percent(20)) all.push_back(looks_at(below(flags)));
        // What it tells first may be read by a thread that comes after the one that notices.
        if (tells_twice_) all.insert(all.end() - 1, tells(2));
        return all;
    }
    std::vector<step> puts_and_looks() {
        std::vector<step> all{tells(1), {random_.percent(85) ? put : put_free, lock_}};
        if (random_.percent(25)) all.push_back({try_lock, lock_});
        all.push_back(looks_at(0));
        return all;
    }
    std::vector<step> notices() {
        std::vector<step> all;
        if (random_.percent(50)) all.push_back(looks_at(2));
        if (random_.percent(25))
            all.push_back(lock_ < 2 && random_.percent(50)
                              ? step{both_or, static_cast<std::uint8_t>(1 - lock_)}
                              : step{try_or, lock_});
        else
            all.push_back({random_.percent(75) ? try_lock : put_free, lock_});
        if (random_.percent(25)) all.push_back({try_lock, random_.percent(60) ? lock_ : below(locks)});
        all.push_back(looks_at(1));
        return all;
    }
    std::vector<step> any(unsigned most) {
        std::vector<step> all;
        for (unsigned n = 1 + below(static_cast<std::uint8_t>(most)); n > 0; --n) {
            const std::uint8_t lock = random_.percent(70) ? lock_ : below(locks), mutex = lock % 2;
            const std::pair<int, step> choices[] = {
                {15, {put, lock}},    {30, {section, lock}},     {50, {try_lock, lock}},
                {60, loop()},         {67, {both, mutex}},       {72, {both_or, mutex}},
                {77, {try_or, lock}}, {89, tells(below(flags))}, {100, looks_at(below(flags))}};
            const int chance = random_.below(100);
            all.push_back(std::find_if(std::begin(choices), std::end(choices), [=](auto& c) {
                              return chance < c.first;
                          })->second);
        }
        return all;
    }

    oracle::random_numbers random_;
    bool tells_twice_;      ///< of a third of the seeds: of the others the programs are as they were
    std::uint8_t lock_ = 0; ///< that most steps are about
};

const char* name(step_kind what) {
    switch (what) {
    case poll:
        return "poll";
    case poll_free:
        return "poll if free";
    case wait:
        return "wait";
    case put:
        return "put";
    case put_free:
        return "put if free";
    case try_lock:
        return "try";
    case section:
        return "section";
    case both:
        return "both";
    case both_or:
        return "both or flag 0,";
    case try_or:
        return "try until flag 0,";
    case store:
        return "store flag";
    case look:
        return "look at flag";
    case add:
        return "add 0 to flag";
    }
    return "";
}

} // namespace

program generate(std::uint64_t seed) { return generator(seed).make(); }

std::string to_string(const program& of) {
    constexpr const char* orders[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
    std::string text;
    for (std::size_t t = 0; t < of.threads.size(); ++t) {
        text += "  thread " + std::to_string(t + 1) + ':';
        for (const step& s : of.threads[t]) {
            text += std::string(" ") + name(s.what) + ' ' + std::to_string(s.object);
            if (s.what >= store) text += std::string(" ") + orders[static_cast<int>(s.order)];
            text += ';';
        }
        text += '\n';
    }
    return text;
}

} // namespace ringproof::verify::notices
