// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tests of this program, with their clients and what their structures do alone.

#include "alone.hpp"
#include "clients.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace ringproof::verify::linear {

/// A test as the engine uses it.
class registered_test {
  public:
    explicit registered_test(const test& t);

    const test& of() const { return test_; }
    /// What the test asks for, within what there is room for.
    const client_bounds& bounds() const { return bounds_; }
    /// linear_options::in_all, within what there is room for.
    unsigned in_all() const { return in_all_; }
    const std::vector<client>& clients() const;
    made_call call_at(unsigned client, unsigned thread, unsigned call) const;
    /// Makes the clients, and has the structure run alone, if that is what says what is right. @throws std::runtime_error
    void prepare();
    bool allows(const made_call* calls, std::size_t n) const;
    /// Histories of a client that some order is known to explain.
    bool is_known(const std::string& history) const { return known_.count(history) != 0; }
    void note_known(std::string history) { known_.insert(std::move(history)); }
    void note_latest(const std::string& history) { latest_ = history; }
    const std::string& latest() const { return latest_; }

  private:
    bool keeps_to_one_thread(const client& c) const;
    std::vector<unsigned> owners() const;

    const test& test_;
    std::vector<made_call> kinds_; ///< of calls
    client_bounds bounds_;
    unsigned in_all_;
    mutable std::vector<client> clients_; ///< once they are asked for
    std::unique_ptr<alone> alone_;
    std::unordered_set<std::string> known_;
    std::string latest_;
};

std::vector<registered_test>& registry();
/// That of this name, or null: not every scenario is one.
const registered_test* find_registered(std::string_view name);
/// "linearizable"
std::string_view promise_name(promise p);
/// "linearizable: 127 clients up to 2 x 2, 1 synchronisation", and all that makes the promise a weaker one.
std::string claim_text(const registered_test& t);

} // namespace ringproof::verify::linear
