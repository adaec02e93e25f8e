// SPDX-License-Identifier: Apache-2.0
// Compiled as C++17, once for each HEADER that a program includes: what the language lacks is said first, in one sentence.
#include HEADER
