// SPDX-License-Identifier: GPL-3.0-or-later
// One file of a source through a scan, and what is kept of it for fetching. Internal to importers/input.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/run/input.h"
#include "importers/input/file_input.h"
#include "importers/input/path_expansion.h"
#include "importers/input/payload_log.h"
#include "importers/input/row_mapper.h"
#include "importers/source/file_handle.h"

namespace counterfoil {

/// Where the first row of a chunk is.
struct ChunkPlace {
  std::uint64_t offset = 0;
  std::uint64_t line = 1;
};

struct SourceFile {
  FileId id;
  SourceId source;
  const SourceSpec* spec = nullptr;
  ExpandedPath expanded;
  FilePlace place;
  FileStamp stamp;
  FileReport report;
  std::vector<std::unique_ptr<FileView>> views;      ///< one for each different layout of the mappings
  std::vector<std::vector<ChunkPlace>> chunks;       ///< by view; of views that are read by position
  bool isProbe = false;   ///< only its head is looked at: what stands around the rows is not asked for
  const SourceFile* repeatOf = nullptr;              ///< an earlier file of the source with the same content

  void markIncomplete(const std::string& problem);
};

using SourceFiles = std::vector<std::unique_ptr<SourceFile>>;   ///< by FileId

/// What a scan hands to its parts. Shared by all threads.
struct ScanServices {
  const KeyedHash* hash = nullptr;
  ScanSink* sink = nullptr;
  const ScanOptions* options = nullptr;
  FileInputOptions settings;
  const OperationMatcher* operations = nullptr;
  PayloadLog* log = nullptr;
  std::vector<KnownQueues> queuesByWorker;
  std::atomic<std::uint64_t> doneBytes{0};
  std::uint64_t totalBytes = 0;
  std::mutex spareMutex;
  std::vector<std::pair<SlimBatch, std::string>> spare;

  [[nodiscard]] bool isCancelled() const { return options->cancel != nullptr && options->cancel->isCancelled(); }
  void addProgress(std::uint64_t bytes);
  /// Buffers of outputs that were delivered, for those to come: growing them costs more than filling them.
  void lendBuffers(ScanOutput& output);
  void takeBuffers(ScanOutput& output);
  /// Gives records, rows and names to the sink; they are gone from `output` afterwards.
  Result<> deliver(ScanOutput& output, unsigned worker) const;
};

[[nodiscard]] MapperContext mapperContext(const SourceFile& file, const FileView& view, const ScanServices& services);

/// Opens a file and binds its mappings. An Error of code Config or Cancelled ends the scan; every other
/// one is the file's.
[[nodiscard]] Result<> openViews(SourceFile& file, const std::vector<std::shared_ptr<const MappingSpec>>& mappings,
                                 const OperationMatcher* operations, const CancelToken* cancel);
/// Compiles the plans of a view for facts about open columns.
[[nodiscard]] Result<std::vector<std::shared_ptr<const Plan>>> compilePlans(const SourceFile& file,
                                                                            const FileView& view,
                                                                            const ColumnFacts& facts,
                                                                            const OperationMatcher* operations);
/// Makes `plans` those of the view (with their columns, reader and order).
void bindPlans(FileView& view, std::vector<std::shared_ptr<const Plan>> plans);

/// Reads a view whose rows are cut out of the file's bytes. With an executor its chunks are read in
/// parallel, else by the calling thread (`worker`). `totals` gets the counts.
[[nodiscard]] Result<> scanByPosition(SourceFile& file, std::size_t viewIndex, ScanServices& services,
                                      Executor* executor, unsigned worker, ScanOutput& totals);
/// Reads every other view, on the calling thread.
[[nodiscard]] Result<> scanStream(SourceFile& file, std::size_t viewIndex, ScanServices& services, unsigned worker,
                                  ScanOutput& totals);
/// All rows of a view that is no by-position one to `mapper`; `flush` is called now and then. What keeps
/// the file from being complete is told by `problem`; an Error is only Cancelled or what the mapper met.
[[nodiscard]] Result<> readStream(const FileView& view, RowSink& sink, RowMapper* mapper, const CancelToken* cancel,
                                  const std::function<Result<>()>& flush, std::optional<Error>& problem);

}  // namespace counterfoil
