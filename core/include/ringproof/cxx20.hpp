// SPDX-License-Identifier: Apache-2.0
#pragma once
// Included first by each header that a program includes, so that an older language says so in one sentence. The
// header that is included there does not exist: that ends the compilation, before hundreds of errors that would follow.
#if __cplusplus < 202002L
#error "ringproof needs C++20: -std=c++20, or target_compile_features(… cxx_std_20) in CMake"
#include <ringproof needs C++20>
#endif
