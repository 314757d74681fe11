// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "importers/input/opened_redis.h"
#include "importers/input/outside_lines.h"
#include "importers/mapping/mapping_model.h"

namespace counterfoil {

namespace {

/// Mappings of one layout are read together.
std::vector<std::vector<std::size_t>> byLayout(const std::vector<std::shared_ptr<const MappingSpec>>& mappings) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& members) {
      return mappings[members.front()]->layout() == mappings[i]->layout();
    });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

/// Values outside of the rows: by pointer of a JSON document, by pattern of the lines of a text.
Result<std::vector<std::pair<std::string, std::string>>> documentValues(const FileView& view,
                                                                        const std::vector<std::string>& places) {
  std::vector<std::string> wanted;
  const bool isText = view.opened.isText();
  std::copy_if(places.begin(), places.end(), std::back_inserter(wanted),
               [&](const std::string& place) { return (place.rfind(kLinePlace, 0) == 0) == isText; });
  if (wanted.empty()) return std::vector<std::pair<std::string, std::string>>();
  if (isText) return lineValues(view.opened, wanted);
  const Result<std::unique_ptr<ByteSource>> source = view.opened.openSource();
  if (!source) return fail(source.error());
  return readJsonDocumentValues(**source, wanted);
}

}  // namespace

void SourceFile::markIncomplete(const std::string& problem) {
  if (!report.complete) return;   // the first reason is the one that is told
  report.complete = false;
  report.problem = problem;
}

void ScanServices::addProgress(std::uint64_t bytes) {
  const std::uint64_t done = doneBytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (options->progress) options->progress(std::min(done, totalBytes), totalBytes);
}

void ScanServices::lendBuffers(ScanOutput& output) {
  const std::lock_guard lock(spareMutex);
  if (spare.empty()) return;
  std::tie(output.batch, output.encoded) = std::move(spare.back());
  spare.pop_back();
}

void ScanServices::takeBuffers(ScanOutput& output) {
  output.batch.clear();
  output.encoded.clear();
  const std::lock_guard lock(spareMutex);
  if (spare.size() < queuesByWorker.size() * 2) spare.emplace_back(std::move(output.batch), std::move(output.encoded));
}

Result<> ScanServices::deliver(ScanOutput& output, unsigned worker) const {
  for (const auto& [hashOfQueue, name] : output.queueNames) sink->queueName(hashOfQueue, name, worker);
  output.queueNames.clear();
  for (QuarantinedRow& row : output.quarantined) sink->quarantine(std::move(row), worker);
  output.quarantined.clear();
  for (QueueDepth& depth : output.depths) sink->depth(std::move(depth), worker);
  output.depths.clear();
  if (!output.encoded.empty()) {
    Result<> taken = sink->encoded(output.encoded, worker);
    if (!taken) return taken;
    output.encoded.clear();
  }
  if (output.batch.size() <= settings.batchRows * 2) {
    if (output.batch.empty()) return {};
    Result<> taken = sink->accept(output.batch, worker);
    output.batch.clear();
    return taken;
  }
  for (std::size_t from = 0; from < output.batch.size(); from += settings.batchRows) {
    const std::size_t to = std::min(output.batch.size(), from + settings.batchRows);
    SlimBatch part(output.batch.begin() + static_cast<std::ptrdiff_t>(from),
                   output.batch.begin() + static_cast<std::ptrdiff_t>(to));
    Result<> taken = sink->accept(part, worker);
    if (!taken) return taken;
  }
  output.batch.clear();
  return {};
}

MapperContext mapperContext(const SourceFile& file, const FileView& view, const ScanServices& services) {
  MapperContext context;
  context.view = &view;
  context.hash = services.hash;
  context.source = file.source;
  context.file = file.id;
  context.shownPath = file.expanded.shown;
  context.day = file.expanded.day;
  context.countsDataRows = &view == file.views.front().get();
  context.cancel = services.options->cancel;
  context.encoder = services.options->encoder;
  return context;
}

Result<std::vector<std::shared_ptr<const Plan>>> compilePlans(const SourceFile& file, const FileView& view,
                                                              const ColumnFacts& facts,
                                                              const OperationMatcher* operations) {
  std::vector<std::shared_ptr<const Plan>> plans;
  for (std::size_t i = 0; i < view.mappings.size(); ++i) {
    PlanOptions options;
    options.source = file.source;
    options.jobSpace = file.spec->jobSpace;
    options.file = file.id;
    options.mappingNumber = view.mappingNumbers[i];
    options.defaultZone = file.spec->zone;
    options.operations = operations;
    options.facts = facts;
    options.isWorkbook = view.opened.layout.kind == LayoutKind::Xlsx;
    Result<std::shared_ptr<const Plan>> plan = Plan::compile(*view.mappings[i], view.opened.columns, options);
    const bool hasOutside = view.opened.layout.kind == LayoutKind::Json || (view.opened.isText() && !file.isProbe);
    if (plan && !(*plan)->documentPointers().empty() && hasOutside) {
      auto values = documentValues(view, (*plan)->documentPointers());
      if (!values) return fail(values.error());
      options.documentValues = std::move(*values);
      plan = Plan::compile(*view.mappings[i], view.opened.columns, options);
    }
    if (!plan) return fail(plan.error());
    plans.push_back(std::move(*plan));
  }
  return plans;
}

void bindPlans(FileView& view, std::vector<std::shared_ptr<const Plan>> plans) {
  view.plans = std::move(plans);
  view.wanted.clear();
  view.columnOf.assign(view.plans.size(), {});
  for (std::size_t p = 0; p < view.plans.size(); ++p) {
    for (const std::string& column : view.plans[p]->columns()) {
      // The columns of the first plan keep their order, so that its rows need no copying.
      const auto known = p == 0 ? view.wanted.end() : std::find(view.wanted.begin(), view.wanted.end(), column);
      view.columnOf[p].push_back(static_cast<std::uint32_t>(known - view.wanted.begin()));
      if (known == view.wanted.end()) view.wanted.push_back(column);
    }
  }
  // To hold the members of all lists is only worth it where somebody asks where a job is named.
  view.opened.redis.wantsPlaces = std::any_of(view.wanted.begin(), view.wanted.end(), readsPlaces);
  if (view.opened.isText()) view.reader = view.opened.makeReader(view.wanted);
}

Result<> openViews(SourceFile& file, const std::vector<std::shared_ptr<const MappingSpec>>& mappings,
                   const OperationMatcher* operations, const CancelToken* cancel) {
  for (const std::vector<std::size_t>& group : byLayout(mappings)) {
    auto view = std::make_unique<FileView>();
    std::vector<std::string> known;
    for (const std::size_t i : group) {
      view->mappings.push_back(mappings[i]);
      view->mappingNumbers.push_back(static_cast<std::uint32_t>(i));
      const std::vector<std::string> names = mappings[i]->knownColumns();
      known.insert(known.end(), names.begin(), names.end());
    }
    Result<OpenedFile> opened = openWithLayout(file.place, mappings[group.front()]->layout(), known, cancel);
    if (!opened) return fail(opened.error());
    view->opened = std::move(*opened);
    view->opened.redis.headOnly = file.isProbe;
    view->opened.headOnly = file.isProbe;
    auto plans = compilePlans(file, *view, {}, operations);
    if (!plans) return fail(plans.error());
    bindPlans(*view, std::move(*plans));
    file.views.push_back(std::move(view));
  }
  file.chunks.resize(file.views.size());
  return {};
}

}  // namespace counterfoil
