// SPDX-License-Identifier: Apache-2.0
#include "tests/core/capture/probe_text.h"

#include "core/capture/probe_frames.h"

#include <algorithm>
#include <cstring>

namespace shardlens::test {
namespace {

using capture::probeFrame;
using capture::ProbeKind;

template <class Number>
void add(std::string& out, Number number) {
  std::string bytes(sizeof(number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(number));
  out += bytes;
}

bool isWide(SampleIndex id) {
  return id > INT32_MAX || id < INT32_MIN;
}

}  // namespace

ProbeText::ProbeText(std::int64_t rank, std::int64_t world_size, std::int64_t local_world_size)
    : ProbeText(rank, world_size,
                R"("LOCAL_RANK":")" + std::to_string(rank % local_world_size) + R"(","LOCAL_WORLD_SIZE":")" +
                    std::to_string(local_world_size) + R"(")") {}

ProbeText::ProbeText(std::int64_t rank, std::int64_t world_size, const std::string& environment)
    : bytes_(capture::probeFileHeader()), rank_(std::to_string(rank)) {
  bytes_ += probeFrame(ProbeKind::Process,
                       R"({"pid":)" + std::to_string(100 + rank) +
                           R"(,"host":"h","script":"train.py","torch":"1.13.1","environment":{"RANK":")" + rank_ +
                           R"(","WORLD_SIZE":")" + std::to_string(world_size) + R"(",)" + environment + "}}");
}

ProbeText ProbeText::withoutRank() {
  ProbeText text;
  text.bytes_ =
      capture::probeFileHeader() + probeFrame(ProbeKind::Process, R"({"pid":1,"host":"h","script":"train.py"})");
  return text;
}

void ProbeText::loader(std::int64_t number, std::int64_t sampler_rank, std::int64_t num_replicas, bool shuffle,
                       const std::string& site, std::int64_t length) {
  loaderWith(number,
             R"({"class":"torch.utils.data.distributed.DistributedSampler","values":{"num_replicas":)" +
                 std::to_string(num_replicas) + R"(,"rank":)" + std::to_string(sampler_rank) +
                 R"(,"epoch":0,"drop_last":false,"shuffle":)" + (shuffle ? "true" : "false") + R"(,"seed":0}})",
             site, length);
}

void ProbeText::loaderWith(std::int64_t number, const std::string& sampler, const std::string& site,
                           std::int64_t length) {
  bytes_ += probeFrame(ProbeKind::Loader,
                       R"({"loader":)" + std::to_string(number) + R"(,"site":")" + site +
                           R"(","dataset":{"class":"D","is_iterable":false,"length":)" + std::to_string(length) +
                           R"(},"batch_size":2,"drop_last":false,"num_workers":0,"sampler":)" + sampler + "}");
}

void ProbeText::loaderOfBatches(std::int64_t number, const std::string& batch_sampler, const std::string& more) {
  bytes_ += probeFrame(ProbeKind::Loader, R"({"loader":)" + std::to_string(number) +
                                              R"(,"site":"train.py:7","dataset":{"class":"D","is_iterable":false,)"
                                              R"("length":10},"batch_size":null,"drop_last":false,"num_workers":0,)"
                                              R"("sampler":{"class":"torch.utils.data.sampler.SequentialSampler"},)"
                                              R"("batch_sampler":)" +
                                              batch_sampler + more + "}");
}

void ProbeText::loaderOf(std::int64_t number, const std::string& dataset, const std::string& site) {
  bytes_ += probeFrame(ProbeKind::Loader,
                       R"({"loader":)" + std::to_string(number) + R"(,"site":")" + site + R"(","dataset":)" + dataset +
                           R"(,"batch_size":2,"sampler":{"class":"torch.utils.data.sampler.SequentialSampler"}})");
}

void ProbeText::iterable(std::int64_t number, const std::string& site) {
  bytes_ += probeFrame(ProbeKind::Loader, R"({"loader":)" + std::to_string(number) + R"(,"site":")" + site +
                                              R"(","dataset":{"class":"D","is_iterable":true},"batch_size":2})");
}

void ProbeText::pass(std::int64_t number, std::int64_t loader, std::int64_t epoch, std::int64_t calls) {
  passWith(number, loader,
           R"("has_set_epoch":true,"epoch":)" + std::to_string(epoch) + R"(,"set_epoch_calls":)" +
               std::to_string(calls) + R"(,"torch_seed":7,"grad":true)");
}

void ProbeText::passAt(std::int64_t number, std::int64_t loader, std::int64_t time_ns) {
  bytes_ += probeFrame(ProbeKind::Pass, R"({"pass":)" + std::to_string(number) + R"(,"loader":)" +
                                            std::to_string(loader) + R"(,"time_ns":)" + std::to_string(time_ns) + "}");
}

void ProbeText::passWith(std::int64_t number, std::int64_t loader, const std::string& members) {
  bytes_ +=
      probeFrame(ProbeKind::Pass, R"({"pass":)" + std::to_string(number) + R"(,"loader":)" + std::to_string(loader) +
                                      R"(,"time_ns":)" + std::to_string(number) + "," + members + "}");
}

void ProbeText::batches(std::int64_t pass, std::int64_t first, const std::vector<std::vector<SampleIndex>>& batches) {
  std::string payload;
  add(payload, static_cast<std::uint32_t>(pass));
  add(payload, static_cast<std::uint32_t>(first));
  add(payload, static_cast<std::uint32_t>(batches.size()));
  for (const auto& batch : batches) {
    const bool wide = std::any_of(batch.begin(), batch.end(), isWide);
    add(payload, static_cast<std::uint32_t>(batch.size()) | (wide ? 1U << 30U : 0U));
    for (const SampleIndex id : batch) {
      if (wide) {
        add(payload, id);
      } else {
        add(payload, static_cast<std::int32_t>(id));
      }
    }
  }
  bytes_ += probeFrame(ProbeKind::Batches, payload);
}

void ProbeText::news(std::int64_t pass, std::int64_t drawn, std::int64_t backwards) {
  news(pass, News{drawn, drawn, backwards, backwards, true});
}

void ProbeText::news(std::int64_t pass, const News& said) {
  newsWith(pass, R"("drawn":)" + std::to_string(said.drawn) + R"(,"handed":)" + std::to_string(said.handed) +
                     R"(,"failed":[],"open":false,"exhausted":)" + (said.exhausted ? "true" : "false") +
                     R"(,"ended":)" + (said.ended ? "true" : "false") + R"(,"grad":true,"backwards":)" +
                     std::to_string(said.backwards) + R"(,"beside":)" + std::to_string(said.beside));
}

void ProbeText::newsWith(std::int64_t pass, const std::string& members) {
  bytes_ += probeFrame(ProbeKind::News, R"({"pass":)" + std::to_string(pass) + "," + members + "}");
}

void ProbeText::opaque(std::int64_t pass, std::int64_t count) {
  std::string payload;
  add(payload, static_cast<std::uint32_t>(pass));
  add(payload, std::uint32_t{0});
  add(payload, static_cast<std::uint32_t>(count));
  for (std::int64_t i = 0; i < count; ++i) add(payload, (2U << 30U) | 2U);
  bytes_ += probeFrame(ProbeKind::Batches, payload);
}

std::string ProbeText::packed(std::int64_t pass, std::int64_t first, const std::vector<Step>& steps) {
  std::string payload;
  add(payload, static_cast<std::uint32_t>(pass));
  add(payload, static_cast<std::uint32_t>(first));
  add(payload, static_cast<std::uint32_t>(steps.size()));
  for (const Step& step : steps) {
    add(payload, step.handed);
    add(payload, step.backwards);
  }
  return payload;
}

void ProbeText::steps(std::int64_t pass, std::int64_t first, const std::vector<Step>& steps) {
  bytes_ += probeFrame(ProbeKind::Steps, packed(pass, first, steps));
}

void ProbeText::discards(std::int64_t pass, std::int64_t first, const std::vector<Step>& discards) {
  bytes_ += probeFrame(ProbeKind::Discards, packed(pass, first, discards));
}

void ProbeText::marks(std::int64_t pass, std::int64_t first, const std::vector<std::vector<std::int64_t>>& batches,
                      std::uint32_t form) {
  std::string payload;
  add(payload, static_cast<std::uint32_t>(pass));
  add(payload, static_cast<std::uint32_t>(first));
  add(payload, static_cast<std::uint32_t>(batches.size()));
  for (const auto& batch : batches) {
    add(payload, form << 30U | (form == 2 ? 1U : static_cast<std::uint32_t>(batch.size())));
    for (const std::int64_t mark : batch) add(payload, mark);
  }
  bytes_ += probeFrame(ProbeKind::Contents, payload);
}

void ProbeText::end(std::int64_t time_ns) {
  bytes_ += probeFrame(ProbeKind::End, R"({"time_ns":)" + std::to_string(time_ns) + "}");
}

void ProbeText::limit() {
  bytes_ += probeFrame(ProbeKind::Limit, "{}");
}

}  // namespace shardlens::test
