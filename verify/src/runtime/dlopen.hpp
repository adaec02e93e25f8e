// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::verify {

/// At the end of a search: libraries that its executions loaded are as they were when they had been loaded.
void put_back_loaded_libraries();

} // namespace ringproof::verify
