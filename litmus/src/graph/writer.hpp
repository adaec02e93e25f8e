// SPDX-License-Identifier: Apache-2.0
#pragma once
// What `ringproof litmus --show graph` leaves behind: for each execution shown, a picture and the
// same as data.

#include "../enumerate/execution.hpp"
#include "../parse/test.hpp"

#include <map>
#include <nlohmann/json_fwd.hpp>

namespace ringproof::litmus {

/// Events (with the line of the source each comes from) and relations, as schema ringproof-litmus/1
/// has them in `executions`.
nlohmann::ordered_json to_json(const execution& x, const source& from);

class graph_writer {
  public:
    /// `folder` is made when the first file is written.
    explicit graph_writer(std::string folder) : folder_(std::move(folder)) {}

    /// Writes NAME.MODEL.svg and .json (NAME.MODEL-2.svg for a second one, whichever test it is of).
    /// @returns the path of the picture @throws std::runtime_error if it cannot be written
    std::string write(const test& t, const std::string& model, const execution& x);

  private:
    std::string folder_;
    std::map<std::string, int> used_;
};

} // namespace ringproof::litmus
