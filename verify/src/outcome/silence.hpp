// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::verify {

/// While it lives, standard output leads nowhere: a program that is run a million times would drown
/// its own results.
class silence {
  public:
    explicit silence(bool wanted);
    ~silence();
    silence(const silence&) = delete;
    silence& operator=(const silence&) = delete;

  private:
    int kept_ = -1;
};

} // namespace ringproof::verify
