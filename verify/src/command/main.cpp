// SPDX-License-Identifier: Apache-2.0
// main() of a scenario binary.
#include <ringproof/verify/verify.hpp>

int main(int argc, char** argv) { return ringproof::verify::run_scenarios(argc, argv); }
