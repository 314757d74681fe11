// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/result.h"

#include <algorithm>

#include "core/run/reading_findings.h"
#include "core/run/slim_sums.h"

namespace counterfoil {

namespace {

std::optional<ProofKind> provenKind(const Shape& shape, bool refundsCount) {
  const bool isLive = shape.kind == RecordKind::Effect && shape.hasAmount &&
                      shape.status == static_cast<std::uint8_t>(EffectStatus::Live);
  if (!isLive) return {};
  if (shape.effectKind == static_cast<std::uint8_t>(EffectKind::Forward)) return ProofKind::Forward;
  if (shape.effectKind == static_cast<std::uint8_t>(EffectKind::Reversal) && refundsCount) return ProofKind::Reversal;
  return {};
}

SourceReport reportOf(const NightState& night, SourceId source, const RepeatCounts& repeats) {
  SourceReport report;
  report.name = night.policy.sources[source.value].name;
  std::string digests;
  for (const FileReport& file : night.scan.reports) {
    if (file.source != source) continue;
    if (report.format.empty()) report.format = file.format;
    if (!report.files.empty()) digests += "\n";
    digests += file.digest;
    report.rows += file.rows;
    report.recorded += file.recorded;
    report.quarantined += file.quarantined;
    report.excluded += file.excluded;
    report.repeated += file.repeated;
    if (file.from && (!report.from || *file.from < *report.from)) report.from = file.from;
    if (file.to && (!report.to || *file.to > *report.to)) report.to = file.to;
    report.files.push_back(file);
  }
  if (report.files.size() == 1) report.digest = digests;
  else if (report.files.size() > 1 && night.options.wantDigests) report.digest = "sha256:" + sha256Hex(digests);
  const auto found = repeats.find(source);
  const std::uint64_t repeated = found == repeats.end() ? 0 : std::min(found->second, report.recorded);
  report.recorded -= repeated;
  report.repeated += repeated;
  return report;
}

void addQueues(NightState& night, const SiftTally& tally, FindingsCollector& findings) {
  std::map<std::string, SlimQueueTally> byName;
  for (const auto& [hash, queue] : tally.queues) {
    const auto name = night.scan.queueNames.find(hash);
    if (name != night.scan.queueNames.end()) byName[name->second].merge(queue);
  }
  for (const auto& [name, queue] : byName) findings.addQueueTally(name, queue.tally());
  for (const QueueDepth& sample : night.scan.depths) findings.addQueueDepth(sample);
}

}  // namespace

Result<> addSlimTotals(NightState& night, const SiftTally& tally, Verdicts& verdicts) {
  const ShapeTable& shapes = night.ledger.shapes();
  const bool refundsCount = hasRefundOperation(night.policy);
  const std::vector<ShapeSum> sums = night.ledger.sums();
  ScopeTexts scopes(night);
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    const auto kind = provenKind(shapes[i], refundsCount);
    if (!kind) continue;
    const auto scope = scopes.of(shapes[i].scope);
    if (!scope) return fail(scope.error());
    const Currency currency = Currency::fromPacked(shapes[i].currency);
    inParts(sums[i].minor, [&](std::int64_t minor) { verdicts.proof().addEffectRead(*scope, {minor, currency}, *kind); });
    if (i >= tally.plainMinor.size()) continue;
    inParts(tally.plainMinor[i],
            [&](std::int64_t minor) { verdicts.proof().addPlainMatch(*scope, {minor, currency}, *kind); });
  }
  verdicts.addCounted(Class::Matched, Severity::None, tally.plainUnits, {}, 0);
  addQueues(night, tally, verdicts.findings());
  return {};
}

Result<RunResult> makeResult(NightState& night, Verdicts& verdicts, const std::optional<Finding>& keysFinding) {
  RunResult result;
  result.asOf = night.options.asOf;
  if (auto done = verdicts.writeTo(result); !done) return fail(done.error());
  std::uint64_t quarantined = 0;
  for (std::size_t i = 0; i < night.policy.sources.size(); ++i) {
    result.sources.push_back(reportOf(night, SourceId{static_cast<std::uint16_t>(i)}, verdicts.repeats()));
    quarantined += result.sources.back().quarantined;
  }
  const auto outside = result.classes.find(Class::OutOfWindow);
  result.unjudged = quarantined + (outside == result.classes.end() ? 0 : outside->second);
  auto proof = verdicts.proof().lines();
  if (!proof) return fail(proof.error());
  result.proof = std::move(*proof);
  addReadingFindings(night, verdicts, verdicts.findings());
  if (keysFinding) verdicts.findings().addFinding(*keysFinding);
  for (Finding& finding : proofFindings(result.proof)) verdicts.findings().addFinding(std::move(finding));
  result.findings = verdicts.findings().finish();
  addCommonValues(night, result.findings);
  result.queues = verdicts.findings().queues();
  result.quarantined = night.scan.quarantined;
  result.incompleteBecause = reasonsIncomplete(night, result);
  result.complete = result.incompleteBecause.empty();
  return result;
}

int exitCodeOf(const RunResult& result, Severity failOn, bool neverFail) {
  const bool isProven = std::none_of(result.findings.begin(), result.findings.end(),
                                     [](const Finding& finding) { return finding.code == "proof_not_zero"; });
  if (!isProven) return 4;
  if (!result.complete) return 3;
  if (neverFail) return 0;
  // Overdue open units are of low severity.
  if (result.overdue > 0 && failOn <= Severity::Low) return 1;
  for (const auto& [severity, count] : result.breaksBySeverity) {
    if (count > 0 && severity >= failOn) return 1;
  }
  return 0;
}

}  // namespace counterfoil
