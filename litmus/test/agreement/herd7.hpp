// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks an installed herd7 about many tests. A process for each test would spend most of its time on starting and on
// reading models, so it gets many at once.

#include "herd_log.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::litmus::agreement {

class herd7 {
  public:
    struct question {
        std::filesystem::path file;
        std::string name;  ///< that the test gives itself
        std::string model; ///< ours that is asked as well
        bool mixed; ///< whether we divide its accesses into pieces: then it is asked with `-variant mixed`
    };
    struct reply {
        std::optional<expectation> said;
        std::string why_not; ///< the reason that it gives, or that its time ran out
    };

    /// `seconds` of CPU time are for each test. What herd7 says is kept in the folder `kept`, if one is named, and not
    /// asked a second time.
    herd7(double seconds, std::filesystem::path kept);

    /// Is there one to ask?
    bool there() const { return !program_.empty(); }

    /// A reply for each question.
    std::vector<reply> ask(const std::vector<question>& questions) const;

  private:
    using batch = std::vector<const question*>;

    void ask_in_batches(const batch& asked, const std::vector<reply*>& replies, bool mixed) const;
    void ask_whole(const batch& asked, const std::vector<reply*>& replies) const;
    void ask_one_model(const batch& asked, const std::vector<reply*>& replies, bool mixed) const;
    std::vector<std::string> words_for(const std::string& model, bool mixed) const;
    std::filesystem::path place_of(const question& q) const;
    std::optional<reply> recalled(const question& q) const;
    void keep(const question& q, const reply& r) const;

    double seconds_;
    std::filesystem::path kept_;
    std::string program_, kernel_;
};

/// What a log of many tests says of each of them, by name.
std::map<std::string, std::string> split_log(const std::string& log);

} // namespace ringproof::litmus::agreement
