// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace ringproof::command {

/// A folder for temporary files ($TMPDIR, or else /tmp) that is gone when this is.
class temporary_folder {
  public:
    /// @param name what its name begins with
    /// @throws file_error
    explicit temporary_folder(std::string_view name);
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    /// Absolute.
    const std::filesystem::path& path() const { return path_; }
    /// Of a file in it.
    std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

} // namespace ringproof::command
