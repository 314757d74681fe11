// SPDX-License-Identifier: GPL-3.0-or-later
// Names of small codes, each in the order of its enum.
#include "reports/model/words_texts.h"

namespace counterfoil::words {
namespace {

constexpr Text kSeverities[] = {{"–", "–"}, {"low", "низкая"}, {"medium", "средняя"}, {"high", "высокая"},
                                {"critical", "критическая"}};
constexpr Text kStates[] = {
    {"open", "открыто"},
    {"assigned", "назначено"},
    {"investigating", "разбирается"},
    {"awaiting fix", "ждёт исправления"},
    {"resolved", "решено"},
    {"dismissed", "отклонено"},
    {"force-closed", "закрыто принудительно"},
    {"cleared by itself", "снято само"},
    {"reopened", "открыто снова"},
};
static_assert(std::size(kStates) == kReviewStateCount);
constexpr Text kWhys[] = {
    {"", ""},
    {"the provider did not recognise the key", "провайдер не узнал ключ"},
    {"the key came again after the provider had forgotten it", "ключ пришёл, когда провайдер его уже забыл"},
    {"each attempt had a key of its own", "у каждой попытки свой ключ"},
    {"the provider was given no key", "провайдер не получил ключа"},
    {"some carry no key: made by hand or by another service", "часть без ключа: вручную или другой службой"},
    {"refunded", "возврат"},
    {"voided", "отмена"},
    {"disputed", "спор"},
};
constexpr Text kHints[] = {
    {"client retry", "повтор клиента"},
    {"crash between effect and acknowledgement", "сбой между операцией и подтверждением"},
    {"off by a factor of 10, 100 or 1000", "разница в 10, 100 или 1000 раз"},
    {"outbox published twice", "исходящее опубликовано дважды"},
    {"executions overlap", "выполнения пересекаются"},
    {"repeats at a timer's pace", "повторы с периодом таймера"},
    {"redriven", "запущено повторно"},
    {"retries with backoff", "повторы с растущей паузой"},
    {"several accounts", "несколько счетов"},
};
constexpr Text kFlags[] = {
    {"duplicate absorbed", "повтор остановлен"},
    {"several counterparts fit", "подходит несколько пар"},
    {"amount not verified", "сумма не проверена"},
    {"cancelled", "отменено"},
    {"despite failure", "несмотря на неудачу"},
    {"disputed", "оспорено"},
    {"a duplicate was taken back", "повтор возвращён"},
    {"net zero", "итог ноль"},
    {"no attempt seen", "попытки не видно"},
    {"overdue", "просрочено"},
    {"pending twin", "рядом ожидающая"},
    {"provisional", "предварительно"},
    {"reversed", "возвращено"},
    {"same reference", "то же основание"},
    {"counterpart suggested", "предложена пара"},
    {"weak evidence", "слабые свидетельства"},
};
constexpr Text kSkipVerdicts[] = {
    {"right", "верно"},
    {"right, original earlier", "верно, оригинал раньше"},
    {"swallowed other work", "поглотил другую работу"},
    {"relied on work never done", "опирался на несделанное"},
    {"cannot be judged", "нельзя судить"},
};
constexpr Text kRedriveVerdicts[] = {
    {"obsolete: drop it", "не нужно: удалить"},
    {"unsafe: would repeat it", "опасно: повторит"},
    {"check first", "сначала проверить"},
    {"safe to redrive", "можно повторить"},
};
constexpr Text kBridgeSteps[] = {
    {"duplicates", "повторы"},
    {"unrecorded", "без записи у нас"},
    {"despite failure", "несмотря на неудачу"},
    {"unacknowledged", "без подтверждения"},
    {"amount differences", "разница сумм"},
    {"missing", "недостаёт"},
    {"false success", "ложный успех"},
    {"not due yet", "срок не наступил"},
    {"outside the window", "вне охвата"},
    {"dismissed", "отклонено"},
    {"other", "прочее"},
};
static_assert(std::size(kBridgeSteps) == kBridgeStepCount);
constexpr Text kLanes[] = {
    {"order", "заказ"},   {"outbox", "исходящие"},       {"job", "задача"},
    {"claim", "захват"},  {"skip", "пропуск"},           {"processed", "обработано"},
    {"dead letter", "недоставленное"}, {"provider", "провайдер"}, {"judged", "суждение"},
    {"decision", "решение"},
};
static_assert(std::size(kLanes) == kLaneCount);

constexpr CodeText kEvents[] = {
    {"started", {"started", "начата"}, {}},
    {"succeeded", {"succeeded", "успех"}, {}},
    {"failed_final", {"failed for good", "окончательный отказ"}, {}},
    {"retry_pending", {"failed, to be retried", "неудача, будет повтор"}, {}},
    {"running", {"running", "выполняется"}, {}},
    {"lost", {"lost", "потеряна"}, {}},
    {"unknown", {"outcome not known", "исход неизвестен"}, {}},
    {"already_done", {"skipped: already done", "пропуск: уже сделано"}, {}},
    {"in_progress", {"in progress", "в работе"}, {}},
    {"enqueue_suppressed", {"not enqueued: there already", "не поставлена: уже есть"}, {}},
    {"unspecified", {"skipped", "пропуск"}, {}},
    {"completed", {"completed", "завершён"}, {}},
    {"failed", {"failed", "отказ"}, {}},
    {"open", {"open", "открыт"}, {}},
    {"done", {"done", "выполнен"}, {}},
    {"cancelled", {"cancelled", "отменён"}, {}},
    {"written", {"written", "записано"}, {}},
    {"published", {"published", "опубликовано"}, {}},
    {"dead", {"given up", "оставлено"}, {}},
    {"processed", {"processed", "обработано"}, {}},
    {"died", {"given up", "отказ от доставки"}, {}},
    {"forward live", {"live", "действует"}, {}},
    {"forward pending", {"pending", "ожидает"}, {}},
    {"forward failed", {"declined", "отклонено"}, {}},
    {"reversal live", {"refunded", "возврат"}, {}},
    {"reversal pending", {"refund pending", "возврат ожидает"}, {}},
    {"reversal failed", {"refund failed", "возврат не удался"}, {}},
    {"dispute live", {"dispute lost", "спор проигран"}, {}},
    {"dispute pending", {"disputed", "спор открыт"}, {}},
    {"dispute failed", {"dispute won", "спор выигран"}, {}},
    {"fee live", {"fee", "комиссия"}, {}},
    {"judged", {"judged", "суждение"}, {}},
    {"live", {"live", "действует"}, {}},
    {"pending", {"pending", "ожидает"}, {}},
    {"opened", {"ordered", "заказан"}, {}},
    {"claimed", {"claimed", "захвачено"}, {}},
    {"queue work", {"work", "рабочая"}, {}},
    {"queue dead", {"dead letters", "недоставленные"}, {}},
    {"queue retry", {"retries", "повторы"}, {}},
    {"queue delayed", {"delayed", "отложенные"}, {}},
    {"queue in_flight", {"in flight", "в работе"}, {}},
};

}  // namespace

std::span<const Text> severities() { return kSeverities; }
std::span<const Text> states() { return kStates; }
std::span<const Text> whys() { return kWhys; }
std::span<const Text> hints() { return kHints; }
std::span<const Text> flags() { return kFlags; }
std::span<const Text> skipVerdicts() { return kSkipVerdicts; }
std::span<const Text> redriveVerdicts() { return kRedriveVerdicts; }
std::span<const Text> bridgeSteps() { return kBridgeSteps; }
std::span<const Text> lanes() { return kLanes; }
std::span<const CodeText> events() { return kEvents; }

}  // namespace counterfoil::words
