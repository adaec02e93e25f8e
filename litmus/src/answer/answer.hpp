// SPDX-License-Identifier: Apache-2.0
#pragma once
// The simulator as one function, for programs that have no files: the text of a test in, a document out.

#include "../enumerate/model.hpp"

#include <map>
#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus {

struct request {
    std::string text;
    std::string model;            ///< "" or one that is not for this kind of test: the default of its dialect
    int unroll = 2;               ///< rounds of a loop, at most
    double seconds = 0;           ///< 0: no limit
    std::size_t executions = 500; ///< returned, at most
    std::size_t executions_of_state = 20; ///< returned of each final state, at most
};

/// Keeps the models that it has read.
class answerer {
  public:
    /// A result as schema ringproof-litmus/1 has it, with `executions`, and with the models to choose from
    /// (`models`). For a text that cannot be simulated: `verdict` is "error", and `message`, and, where
    /// the text is wrong, `line` and `column` (from 1; bytes).
    nlohmann::ordered_json answer(const request& r);

  private:
    nlohmann::ordered_json simulated(const request& r);
    const model& model_of(const std::string& name);

    std::map<std::string, model> models_;
};

} // namespace ringproof::litmus
