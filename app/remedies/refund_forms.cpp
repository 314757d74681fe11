// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/refund_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/remedies/shell_words.h"
#include "core/base/text.h"

namespace counterfoil {

namespace {

/// A provider that takes no file of refunds whose columns are documented, and what to do there.
struct NoForm {
  std::string_view name, what;
};
constexpr std::array kNoForms = {
    NoForm{"adyen", "its Customer Area and SFTP batches need your account names and a running file number; use the CSV list and the "
                    "refund API with refund_key as Idempotency-Key"},
    NoForm{"paypal", "PayPal takes no file of refunds; use the refund API with refund_key as PayPal-Request-Id"},
    NoForm{"square", "Square takes no file of refunds; use RefundPayment with refund_key as idempotency_key"},
    NoForm{"braintree", "Braintree takes no file of refunds and no idempotency key; refund by transaction id and look before a second try"},
    NoForm{"mollie", "Mollie takes no file of refunds; use the refunds API with refund_key as Idempotency-Key"},
    NoForm{"gocardless", "GoCardless takes no file of refunds; use the refunds API with refund_key as Idempotency-Key"},
    NoForm{"razorpay", "Razorpay's batch refunds take only the sample file of your own dashboard; fill it from the CSV list"},
    NoForm{"mpesa", "M-Pesa knows neither files of reversals nor idempotency keys; reverse each transaction by its receipt and look first"},
};

/// Digits as the country of the currency writes them; nothing where that is not documented.
std::optional<std::string> mercadoPagoAmount(const Money& money) {
  const std::string currency = money.currency.text();
  std::string text = formatPlain(money);
  if (currency == "MXN" || currency == "PEN") return text;
  if (currency == "ARS" || currency == "UYU") {
    std::replace(text.begin(), text.end(), '.', ',');
    return text;
  }
  if (currency == "COP" || currency == "CLP") {
    const std::size_t point = text.find('.');
    if (point == std::string::npos) return text;
    if (text.find_first_not_of('0', point + 1) != std::string::npos) return {};
    return text.substr(0, point);
  }
  return {};
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void leaveOut(RefundForm& form, const RefundLine& line, std::string_view why) {
  form.leftOut.push_back(fmt::format("{}: {}", forTerminal(line.effectId.empty() ? line.caseId : line.effectId), why));
}

RefundForm mercadoPagoForm(const std::vector<RefundLine>& lines) {
  RefundForm form;
  form.text = "payment_id;external_reference;amount\r\n";
  for (const RefundLine& line : lines) {
    const auto amount = line.amount ? mercadoPagoAmount(*line.amount) : std::nullopt;
    if (!isNumber(line.effectId)) {
      leaveOut(form, line, "not a payment id of Mercado Pago (digits)");
    } else if (!amount) {
      leaveOut(form, line, "how Mercado Pago writes this amount is not documented");
    } else {
      form.text += fmt::format("{};{};{}\r\n", line.effectId, line.refundKey, *amount);
      form.given.push_back(line);
    }
  }
  return form;
}

/// Lines of Stripe's own command line program: a person looks, then runs them.
RefundForm stripeForm(const std::vector<RefundLine>& lines) {
  RefundForm form;
  for (const RefundLine& line : lines) {
    const std::string_view id = line.effectId;
    const bool isCharge = id.starts_with("ch_") || id.starts_with("py_");
    const bool isIntent = id.starts_with("pi_");
    if (!line.amount || (!isCharge && !isIntent) || !isPlainId(id)) {
      leaveOut(form, line, "not a charge or payment intent of Stripe");
      continue;
    }
    form.text += fmt::format("stripe refunds create --{}={} --amount={} --reason=duplicate --idempotency={} --live\n",
                             isCharge ? "charge" : "payment-intent", shellWord(id), line.amount->minor, line.refundKey);
    form.given.push_back(line);
  }
  return form;
}

}  // namespace

const std::vector<std::string_view>& refundFormNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all = {"stripe", "mercadopago"};
    for (const NoForm& none : kNoForms) all.push_back(none.name);
    return all;
  }();
  return names;
}

Result<RefundForm> refundForm(std::string_view name, const std::vector<RefundLine>& lines) {
  std::vector<RefundLine> safe;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(safe), [](const RefundLine& line) { return line.isSafe; });
  if (name == "stripe") return stripeForm(safe);
  if (name == "mercadopago") return mercadoPagoForm(safe);
  for (const NoForm& none : kNoForms) {
    if (none.name == name) return fail(ErrorCode::Usage, fmt::format("--provider-form {}: {}", name, none.what));
  }
  const auto& names = refundFormNames();
  const std::string near = nearest(name, names.data(), names.size());
  return fail(ErrorCode::Usage, fmt::format("--provider-form: no form '{}'{}", forTerminal(name),
                                            near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

}  // namespace counterfoil
