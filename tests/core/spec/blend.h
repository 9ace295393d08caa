// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/fields/entry.h"
#include "core/spec/sampler_info.h"

#include <string>
#include <vector>

namespace shardlens::test {

/// A stream of the sampler below, as a rule that reads its parameter would keep it.
struct Stream {
  std::string name;
  double proportion = 1;
  std::int64_t repeat = 1;
  bool operator==(const Stream&) const = default;
};

inline const std::vector<fields::Item<Stream>>& streamItems() {
  static const std::vector<fields::Item<Stream>> kItems = {
      fields::item<&Stream::name, Stream>({.path = "name", .kind = FieldKind::Text, .required = true}),
      fields::item<&Stream::proportion, Stream>(
          {.path = "proportion", .kind = FieldKind::Float, .min = 0, .max = 100, .required = true}),
      fields::item<&Stream::repeat, Stream>({.path = "repeat", .kind = FieldKind::Int, .min = 1, .max = 1000}),
  };
  return kItems;
}

/// A catalogue with a sampler that no build has: one of its parameters is a list of records. It proves that such a
/// parameter needs its declaration alone.
inline SamplerCatalogue blends() {
  static const Field kSeed{"sampler.seed", FieldKind::Int};
  static const std::vector<SamplerInfo> kSamplers = {{"test.Blend",
                                                      "Blends streams.",
                                                      {{.path = "sampler.streams",
                                                        .kind = FieldKind::Records,
                                                        .fallback = RecordList(),
                                                        .help = "What is blended.",
                                                        .items = fields::fieldsOf(streamItems())},
                                                       kSeed},
                                                      {}},
                                                     {"test.Plain", "", {kSeed}, {}}};
  return kSamplers;
}

inline PipelineSpec blendOf(const std::vector<Stream>& streams) {
  PipelineSpec spec;
  spec.sampler.type = "test.Blend";
  if (!streams.empty()) spec.sampler.parameters["streams"] = fields::recordsOf(streams, streamItems());
  return spec;
}

inline std::vector<Stream> streamsOf(const PipelineSpec& spec) {
  const auto found = spec.sampler.parameters.find("streams");
  return found == spec.sampler.parameters.end() ? std::vector<Stream>()
                                                : fields::objectsOf(found->second, streamItems());
}

}  // namespace shardlens::test
