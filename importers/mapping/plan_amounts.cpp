// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts and fees of a row: one text, or columns that are added up. Every text that does not fit is a
// fault that names column, value, rule and what to do.
#include <fmt/format.h>

#include <limits>

#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

std::string_view ruleOf(AmountFault fault) {
  switch (fault) {
    case AmountFault::Empty:
    case AmountFault::NotANumber:
      return "not_an_amount";
    case AmountFault::TooManyDecimals:
      return "too_many_decimals";
    case AmountFault::BadGrouping:
      return "bad_grouping";
    case AmountFault::Overflow:
      return "amount_overflow";
    case AmountFault::WrongDecimalSign:
      return "wrong_decimal_sign";
    case AmountFault::TwoCurrencies:
      return "two_currencies";
  }
  return "not_an_amount";
}

/// More decimals than any currency has: for reading a text only to see its currency.
constexpr int kAnyExponent = 4;

AmountStyle styleOf(const CompiledLeaf& leaf, FieldType type, Currency currency) {
  AmountStyle style;
  style.decimal = type == FieldType::Number ? DecimalSign::Point : leaf.decimal;
  style.exponent = currency.isNone() ? kAnyExponent : currency.exponent();
  style.minorUnits = leaf.unit != AmountUnit::Major;
  return style;
}

/// Whether the leaf's numbers count the currency's own minor units.
bool countsOwnUnits(const CompiledLeaf& leaf) {
  return leaf.unit == AmountUnit::Major ||
         (leaf.unit == AmountUnit::Minor && leaf.decimals.empty());
}

/// Decimals in which the leaf's numbers of minor units are counted.
int providerDecimals(const CompiledLeaf& leaf, Currency currency) {
  if (leaf.unit == AmountUnit::Hundredths) return 2;
  for (const auto& [code, digits] : leaf.decimals) {
    if (code == currency) return digits;
  }
  return currency.exponent();
}

/// A provider's number of minor units as ours: the rule that it breaks, or "".
std::string_view scale(const CompiledLeaf& leaf, Currency currency, ParsedAmount& amount) {
  int from = providerDecimals(leaf, currency);
  const int to = currency.exponent();
  bool exact = from == to || amount.microMinor == 0;
  for (; from > to; --from) {
    exact = exact && amount.minor % 10 == 0;
    amount.minor /= 10;
  }
  for (; from < to; ++from) {
    if (__builtin_mul_overflow(amount.minor, std::int64_t{10}, &amount.minor))
      return "amount_overflow";
  }
  return exact ? std::string_view() : "too_many_decimals";
}

/// What is wrong with an amount that could be read, given the currency it is said to be in.
bool currencyFits(const CompiledLeaf& leaf, const Picked& picked, const ParsedAmount& amount,
                  Currency currency, PlanScratch& scratch) {
  if (currency.isNone()) {
    return faultAt(
        scratch, leaf.label, picked.text, "missing_currency",
        "an amount without a currency: map 'currency' to a column or to {\"value\": \"EUR\"}");
  }
  const bool statesOther =
      !amount.currency.isNone() && !amount.sharedSymbol && amount.currency != currency;
  if (!statesOther) return true;
  return faultAt(scratch, leaf.label, picked.text, "two_currencies",
                 fmt::format("'{}' is written in {}, the currency field says {}",
                             picked.text.substr(0, 60), amount.currency.text(), currency.text()));
}

void putAmount(TypedRow& row, const ParsedAmount& amount, Currency currency,
               const CompiledLeaf& leaf, bool isFee) {
  if (isFee) {
    if (row.currency.isNone()) row.currency = currency;
    row.feeCurrency = currency;
    row.hasFee = true;
    row.feeRule = leaf.negative;
    row.fee = amount.minor;
    row.feeNegative = amount.negative;
    row.feeMicro = amount.microMinor;
    return;
  }
  row.currency = currency;
  row.hasAmount = true;
  row.amount = amount.minor;
  row.amountNegative = amount.negative && amount.minor != 0;
  row.negativeRule = leaf.negative;
  row.feeSign = leaf.feeSign;
}

}  // namespace

bool PlanImpl::runAmount(const FieldOp& op, const Picked& picked, const RowView& row,
                         PlanScratch& scratch) const {
  TypedRow& typed = scratch.row;
  const bool isFee = op.meaning == FieldMeaning::Fee;
  (isFee ? typed.hasFee : typed.hasAmount) = false;
  if (isFee) typed.feeMicro = 0;
  if (picked.text.empty() || isNullWord(picked.text)) return true;

  const bool ownCurrency = isFee && !typed.feeCurrency.isNone();
  Currency currency = ownCurrency ? typed.feeCurrency : typed.currency;
  ParsedAmount amount;
  const bool isRead = picked.leaf->base == Leaf::Base::Sum
                          ? addUp(picked, isFee, row, scratch, currency, amount)
                          : readAmount(picked, isFee, scratch, currency, amount);
  if (!isRead) return false;
  putAmount(typed, amount, currency, *picked.leaf, isFee);
  if (!isFee) {
    scratch.asWritten = Money{typed.amountNegative ? -typed.amount : typed.amount, currency};
  }
  return true;
}

/// One text as an amount. `currency` is what the row states; of a row that states none it becomes the
/// currency that stands beside the digits.
bool PlanImpl::readAmount(const Picked& picked, bool isFee, PlanScratch& scratch,
                          Currency& currency, ParsedAmount& out) const {
  const CompiledLeaf& leaf = *picked.leaf;
  AmountOutcome outcome = parseAmount(picked.text, styleOf(leaf, picked.type, currency), isFee);
  if (leaf.evidence != kNone && picked.type != FieldType::Number) {
    const auto seen = outcome.fault ? decimalEvidence(picked.text) : outcome.value.evidence;
    scratch.open.columns[leaf.evidence].decimal |= static_cast<std::uint8_t>(seen);
  }
  if (currency.isNone() && !outcome.value.currency.isNone() && !outcome.value.sharedSymbol) {
    currency = outcome.value.currency;  // read again with the decimals of that currency
    outcome = parseAmount(picked.text, styleOf(leaf, picked.type, currency), isFee);
  }
  if (outcome.fault) {
    return faultAt(scratch, leaf.label, picked.text, ruleOf(*outcome.fault),
                   fmt::format("'{}' is not an amount: {}", picked.text.substr(0, 60),
                               describe(*outcome.fault)));
  }
  if (!currencyFits(leaf, picked, outcome.value, currency, scratch)) return false;
  const std::string_view broken =
      countsOwnUnits(leaf) ? std::string_view() : scale(leaf, currency, outcome.value);
  if (!broken.empty()) {
    return faultAt(scratch, leaf.label, picked.text, broken,
                   fmt::format("'{}' does not fit the {} decimals of {}", picked.text.substr(0, 60),
                               currency.exponent(), currency.text()));
  }
  out = outcome.value;
  return true;
}

/// The columns of `sum`, signs as written; blank ones are nothing.
bool PlanImpl::addUp(const Picked& picked, bool isFee, const RowView& row, PlanScratch& scratch,
                     Currency& currency, ParsedAmount& out) const {
  constexpr __int128 kMicro = 1'000'000;
  __int128 total = 0;
  for (const auto& [column, negate] : picked.leaf->sum) {
    const FieldView& field = row.fields[column];
    Picked part{field.type, field.isBlank() ? std::string_view() : trimmed(field.text), picked.leaf, true};
    if (part.text.empty() || isNullWord(part.text)) continue;
    ParsedAmount amount;
    if (!readAmount(part, isFee, scratch, currency, amount)) {
      scratch.lastFault.column = m_columns[column];
      return false;
    }
    const __int128 micro = static_cast<__int128>(amount.minor) * kMicro + amount.microMinor;
    total += amount.negative != negate ? -micro : micro;
  }
  out.negative = total < 0;
  const __int128 size = out.negative ? -total : total;
  if (size / kMicro > std::numeric_limits<std::int64_t>::max()) {
    return faultAt(scratch, picked.leaf->label, picked.text, "amount_overflow",
                   "the columns together are beyond what an amount can hold");
  }
  out.minor = static_cast<std::int64_t>(size / kMicro);
  out.microMinor = static_cast<std::int32_t>(size % kMicro);
  return true;
}

}  // namespace counterfoil
