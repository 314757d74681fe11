// SPDX-License-Identifier: GPL-3.0-or-later
// What Django's `manage.py dumpdata` writes: [{"model": "shop.order", "pk": 1, "fields": {…}}, …], or such
// objects one a line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/executor.h"
#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

struct DjangoModel {
  std::string name;                   ///< "shop.order"
  std::vector<std::string> columns;   ///< of its first row: pk and the names of its fields
};

/// By the first bytes of the decoded text.
[[nodiscard]] bool looksLikeDumpdata(std::string_view head);
/// All models, in order of their first rows. A file that is cut off gives what is there; Error Cancelled, Limit,
/// or the source's own.
[[nodiscard]] Result<std::vector<DjangoModel>> djangoModels(ByteSource& source, const CancelToken* cancel = nullptr);
/// The model that a text names: "shop.order", its table "shop_order", or "order" if there is only one. Error
/// Missing or Ambiguous.
[[nodiscard]] Result<std::string> djangoModelNamed(const std::vector<DjangoModel>& models, std::string_view text);
/// NDJSON of the rows of a model: "model", "pk", "id" (the pk, where no field is called so), "fields" as it
/// stands, and each field as a member of its own. Error Format where the document stops being one.
[[nodiscard]] std::unique_ptr<ByteSource> transcodeDumpdata(std::unique_ptr<ByteSource> source, std::string model);

}  // namespace counterfoil
