// SPDX-License-Identifier: GPL-3.0-or-later
// Refunds in the forms that providers take in bulk. Only lines that need no look, and only forms that the
// provider documents; where none exists the error says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/remedies/refunds.h"

namespace counterfoil {

/// Names of --provider-form.
[[nodiscard]] const std::vector<std::string_view>& refundFormNames();

struct RefundForm {
  std::string text;
  std::vector<RefundLine> given;      ///< the lines that are in it
  std::vector<std::string> leftOut;   ///< sentences: which line does not go into this form, and why
};
/// Usage: the provider takes no such file (the message says what it offers instead).
[[nodiscard]] Result<RefundForm> refundForm(std::string_view name, const std::vector<RefundLine>& lines);

}  // namespace counterfoil
