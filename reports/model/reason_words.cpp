// SPDX-License-Identifier: GPL-3.0-or-later
// Why a unit has its class, in the report's language. The judge wrote the English sentence with everything it
// knew; Russian ones are made from what the unit carries: class, why, flags, amounts and times.
#include <fmt/format.h>

#include <algorithm>

#include "reports/model/report_case.h"

namespace counterfoil {
namespace {

class RussianReason {
 public:
  RussianReason(const Unit& unit, Instant asOf, const Words& words) : m_unit(unit), m_asOf(asOf), m_words(words) {
    for (const Effect& effect : unit.records.effects) {
      if (effect.status == EffectStatus::Failed || effect.kind == EffectKind::Dispute) continue;
      (effect.status == EffectStatus::Live ? m_live : m_pending).push_back(&effect);
    }
    std::sort(m_live.begin(), m_live.end(), [](const Effect* a, const Effect* b) { return a->created < b->created; });
    std::erase_if(m_live, [this](const Effect* effect) { return effect->kind != mainKind(); });
  }

  std::string text() const {
    std::string out = core();
    const auto note = [&](Flag flag, std::string_view words) {
      if (m_unit.has(flag)) out += std::string(" ") + std::string(words);
    };
    note(Flag::DespiteFailure, "У нас все попытки неудачны.");
    note(Flag::PendingTwin, "Рядом ожидает ещё одна, она может состояться.");
    note(Flag::NoAttemptSeen, "Завершённой попытки не видно.");
    if (m_unit.unitClass != Class::DuplicateReversed) note(Flag::DuplicateReversed, "Вторая была возвращена.");
    if (m_unit.unitClass != Class::UnexplainedReversal && m_unit.unitClass != Class::MatchedCompensated) {
      note(Flag::Reversed, "Позже часть или всё возвращено.");
      note(Flag::Disputed, "Спор по ней проигран.");
    }
    return out;
  }

 private:
  /// Of a refund the effects are reversals; where forward ones are there they are what counts.
  EffectKind mainKind() const {
    const bool forward = std::any_of(m_unit.records.effects.begin(), m_unit.records.effects.end(),
                                     [](const Effect& effect) { return effect.kind == EffectKind::Forward; });
    return forward ? EffectKind::Forward : EffectKind::Reversal;
  }
  std::string money(const std::optional<Money>& value) const {
    return value ? m_words.money(*value) : std::string("сумма неизвестна");
  }
  std::string expected() const { return money(m_unit.expectedAmount); }
  /// What was to be moved, where money is about.
  std::string colonExpected() const { return m_unit.expectedAmount ? ": " + expected() : std::string(); }
  std::string inBrackets(const std::string& text, bool known) const { return known ? " (" + text + ")" : std::string(); }
  std::string exposure() const { return m_unit.exposure.empty() ? "сумма неизвестна" : m_words.money(m_unit.exposure); }
  std::string present() const {
    for (const auto* list : {&m_live, &m_pending}) {
      if (!list->empty()) return money(list->front()->amount);
    }
    return money({});
  }
  bool hasAmount() const {
    for (const auto* list : {&m_live, &m_pending}) {
      if (!list->empty()) return list->front()->amount.has_value();
    }
    return false;
  }
  std::string since(Instant at) const { return m_words.duration(std::max(m_asOf - at, Duration(0))); }
  std::string overdueBy() const {
    return m_unit.due && *m_unit.due < m_asOf ? fmt::format(" Срок прошёл {} назад.", since(*m_unit.due)) : std::string();
  }
  std::string dueAt() const { return m_unit.due ? "; срок – " + m_words.instant(*m_unit.due) : std::string(); }
  std::string why() const { return m_unit.why == Why::None ? std::string() : "; " + std::string(m_words.label(m_unit.why)); }

  std::string duplicate() const {
    std::string out = fmt::format("У провайдера действует операций: {}", m_live.size());
    if (m_live.size() > 1) {
      out += fmt::format(", между ними {}", m_words.duration(m_live.back()->created - m_live.front()->created));
    }
    return out + why() + (m_unit.exposure.empty() ? "." : fmt::format("; лишнее: {}.", exposure()));
  }
  std::string booking() const {
    const auto booked = std::count_if(m_unit.records.attempts.begin(), m_unit.records.attempts.end(),
                                      [](const Attempt& attempt) { return attempt.status == AttemptStatus::Succeeded; });
    return fmt::format("Одна операция на {} учтена {} раз; лишнее в учёте: {}.", present(), booked, exposure());
  }
  std::string stalled() const { return "Задача начата и не завершена, операции у провайдера нет." + overdueBy(); }
  std::string pendingSince() const {
    if (m_pending.empty()) return "Ожидает у провайдера дольше предела.";
    return fmt::format("Ожидает у провайдера {}.", since(m_pending.front()->created));
  }

  std::string core() const {
    switch (m_unit.unitClass) {
      case Class::DuplicateEffect: return duplicate();
      case Class::DuplicateReversed: return "Состоялось больше одного раза, лишнее возвращено полностью.";
      case Class::DuplicateBooking: return booking();
      case Class::SplitMismatch: return fmt::format("Части не дают {}; разница: {}.", expected(), exposure());
      case Class::SuppressedWork:
        return fmt::format("Пропущено, потому что ключ занят другой работой; работа не сделана{}.", colonExpected());
      case Class::LostAfterClaim:
        return fmt::format("Отмечено сделанным, но не сделано, и никто этого не сделает{}.", colonExpected());
      case Class::EffectDespiteFailure:
        return fmt::format("У нас неудача, а у провайдера операция{} {}: повторный запуск её повторит.",
                           inBrackets(present(), hasAmount()), m_live.empty() ? "ожидает" : "действует");
      case Class::UnacknowledgedEffect:
        return fmt::format("Операция{} действует у провайдера, задача о завершении не сообщила.", inBrackets(present(), hasAmount()));
      case Class::FalseSuccess: return fmt::format("У нас успех, у провайдера операция не состоялась{}.", colonExpected());
      case Class::UnexplainedReversal: return fmt::format("У провайдера {}: {}; у нас записи нет.", m_words.label(m_unit.why), exposure());
      case Class::MissingEffect: return fmt::format("У нас сделано{}, у провайдера операции нет.", inBrackets(expected(), m_unit.expectedAmount.has_value())) + overdueBy();
      case Class::UnrecordedEffect: return fmt::format("У провайдера операция{}, о которой у нас нет записи.", inBrackets(present(), hasAmount()));
      case Class::UnpublishedIntent: return fmt::format("Заказ{} есть, завершённой задачи по нему не видно.", inBrackets(expected(), m_unit.expectedAmount.has_value())) + overdueBy();
      case Class::StalledAttempt: return stalled();
      case Class::StalePending: return pendingSince();
      case Class::CurrencyMismatch:
      case Class::AmountMismatch: return fmt::format("Должно быть {}, у провайдера {}.", expected(), present());
      case Class::FieldMismatch: return "Отличается сверяемое поле.";
      case Class::ProbableDuplicate: return "Вероятно, одна и та же работа дважды.";
      case Class::InFlight: return "Ещё выполняется или ждёт повтора" + dueAt() + ".";
      case Class::Expected:
        return (m_pending.empty() ? "В выписке этого ещё может не быть" : "Ожидает у провайдера") + dueAt() + ".";
      case Class::OutOfWindow: return "Вторая сторона лежит вне охвата файлов.";
      case Class::Unfulfilled: return fmt::format("Не удалось, ничего не состоялось; работа не сделана{}.", colonExpected());
      case Class::MatchedTolerance: return fmt::format("В пределах допуска: должно быть {}, у провайдера {}.", expected(), present());
      case Class::MatchedCompensated: return "Сделанное полностью отменено.";
      case Class::MatchedFailure: return "Обе стороны согласны: ничего не произошло.";
      case Class::Matched:
        return m_unit.has(Flag::AbsorbedDuplicate) ? "Повтор был, операция одна: защита сработала." : "Сошлось.";
      case Class::MatchedManual:
      case Class::Dismissed: return "Решено человеком.";
    }
    return "";
  }

  const Unit& m_unit;
  Instant m_asOf;
  const Words& m_words;
  std::vector<const Effect*> m_live, m_pending;
};

}  // namespace

std::string reasonOf(const Unit& unit, Instant asOf, const Words& words) {
  if (words.language() == Language::Russian) return RussianReason(unit, asOf, words).text();
  return unit.reason;
}

}  // namespace counterfoil
