// SPDX-License-Identifier: GPL-3.0-or-later
// Result<T>: what every operation that can fail returns. An Error carries a code that callers and
// tests compare, and a message for people that says what, where and what to do next.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace counterfoil {

enum class ErrorCode {
  Usage,        ///< wrong command line (exit 2)
  Config,       ///< wrong configuration or mapping (exit 2)
  Missing,      ///< a file, table or member is not there (exit 3 when it is an input)
  Io,           ///< reading failed half way, or permission denied
  Format,       ///< the content is not what its format says
  Encoding,     ///< bytes that are not valid in the declared or found encoding
  Ambiguous,    ///< two readings are possible and nothing decides
  Limit,        ///< a bound of ours was reached
  Overflow,     ///< money or time outside the representable range
  WriteFailed,  ///< an output or the store could not be written (exit 4)
  Locked,       ///< another run holds the store (exit 75)
  StoreTooNew,  ///< the store was written by a newer version
  StoreBroken,  ///< the store is damaged or not ours
  Cancelled,    ///< the user asked to stop (exit 130 or 143)
  Internal,     ///< our mistake (exit 4)
};

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::Internal;
  std::string message;

  bool operator==(const Error&) const = default;

  /// The same error seen from one level up: "context: message".
  [[nodiscard]] Error within(std::string_view context) const {
    return Error{code, std::string(context) + ": " + message};
  }
};

template <class T = void>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::Io, "…")` in a function that returns any Result<T>.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace counterfoil
