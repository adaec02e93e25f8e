// SPDX-License-Identifier: Apache-2.0
#pragma once
// The name by which programs of earlier releases include it.
#include <catch2/catch.hpp>
