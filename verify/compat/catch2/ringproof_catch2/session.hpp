// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// What a main() of the program's own calls (CATCH_CONFIG_RUNNER): it runs once, and names the tests.

#include "runner.hpp"

namespace Catch {

class ringproof_session {
  public:
    template <class... Arguments>
    int run(const Arguments&...) {
        ringproof::verify::catch2::name_tests();
        return 0;
    }
    template <class... Arguments>
    int applyCommandLine(const Arguments&...) {
        return 0;
    }
    void useConfigData(const ConfigData& data) { data_ = data; }
    ConfigData& configData() { return data_; }

  private:
    ConfigData data_;
};
using Session = ringproof_session;

} // namespace Catch

namespace ringproof::verify::catch2 {
inline const bool main_names_tests = (names_scenarios_by(nullptr), true);
} // namespace ringproof::verify::catch2
