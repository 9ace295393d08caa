// SPDX-License-Identifier: Apache-2.0
#include "core/collect/drawn_batches.h"

#include "core/plan/rank_epoch.h"
#include "core/record/pack.h"

#include <algorithm>
#include <system_error>

namespace shardlens {
namespace {

namespace fs = std::filesystem;
using capture::BatchFacts;
using capture::PassFacts;

/// Steps of a rank that wait for their batches. More are a sign that these will not come.
constexpr std::size_t kMostBegun = 1 << 16;
/// Passes of a rank that go on at the same time, as over two loaders in turn; one is usual.
constexpr std::size_t kMostPasses = 8;

const PassFacts* passOf(const capture::ProcessFacts& facts, std::int64_t number) {
  const auto found = std::find_if(facts.passes.rbegin(), facts.passes.rend(),
                                  [number](const PassFacts& one) { return one.number == number; });
  return found == facts.passes.rend() ? nullptr : &*found;
}

/// The loader of a pass, when a design of this many samples may be about it.
const capture::LoaderFacts* loaderOf(const capture::ProcessFacts& facts, std::int64_t pass_number,
                                     std::int64_t samples) {
  const PassFacts* const pass = passOf(facts, pass_number);
  if (pass == nullptr) return nullptr;
  const auto found =
      std::ranges::find_if(facts.loaders, [pass](const auto& loader) { return loader.number == pass->loader; });
  const bool fits =
      found != facts.loaders.end() && !found->is_iterable && !found->dispatcher && found->dataset_length == samples;
  return fits ? &*found : nullptr;
}

}  // namespace

DrawnBatches::DrawnBatches(fs::path recording, std::int64_t samples, std::int64_t epochs, std::string host)
    : recording_(std::move(recording)), samples_(samples), epochs_(epochs), host_(std::move(host)) {}

void DrawnBatches::use(std::int64_t rank, std::span<const sl_record> records) {
  for (const sl_record& record : records) {
    if (record.kind == SL_HELLO || record.kind == SL_EPOCH_BEGIN || record.kind == SL_STEP_BEGIN)
      use(ranks_[rank], record);
  }
}

void DrawnBatches::use(RankReads& rank, const sl_record& record) {
  if (record.kind == SL_HELLO) {
    rank = RankReads{static_cast<std::int64_t>(record.a)};
    return;
  }
  if (record.kind == SL_EPOCH_BEGIN) {
    if (record.b == 0) return;
    const auto pass = static_cast<std::int64_t>(record.b - 1);
    rank.pass_of[record.epoch] = pass;
    if (rank.pass_of.size() > kMostPasses) rank.pass_of.erase(rank.pass_of.begin());
    // That it trains is known after its first backward pass, which need not follow its first batch.
    for (std::uint32_t step = 0; step < std::min<std::uint32_t>(record.step, kMostBegun); ++step)
      rank.begun.push_back({pass, step});
  } else if (const auto pass = rank.pass_of.find(record.epoch); pass != rank.pass_of.end()) {
    rank.begun.push_back({pass->second, record.step});
  }
  while (rank.begun.size() > kMostBegun) rank.begun.pop_front();
}

void DrawnBatches::lookForFiles() {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(recording_, code)) {
    if (entry.path().extension() == kProbeExtension)
      processes_.try_emplace(entry.path(), Process{capture::ProbeTail(entry.path())});
  }
}

void DrawnBatches::read(Process& process) {
  const auto use = [&](const BatchFacts& batch) {
    if (batch.is_opaque || loaderOf(process.tail.facts(), batch.pass, samples_) == nullptr) return;
    const std::vector<SampleIndex> samples(batch.samples.begin(), batch.samples.end());
    process.passes[batch.pass][batch.step] = {fingerprintOf(samples), batch.items};
  };
  while (process.tail.more(use)) {
  }
  const capture::ProcessFacts& facts = process.tail.facts();
  if (host_.empty() || facts.host.empty() || facts.host == host_) by_pid_[facts.pid] = &process;
}

DrawnBatches::Process* DrawnBatches::processOf(std::int64_t pid) {
  const auto found = by_pid_.find(pid);
  return found == by_pid_.end() ? nullptr : found->second;
}

const DrawnBatches::Meant* DrawnBatches::meantBy(RankReads& rank, const capture::ProcessFacts& facts,
                                                 const PassFacts& pass) const {
  if (const auto known = rank.meant.find(pass.number); known != rank.meant.end()) return &known->second;
  const capture::LoaderFacts* const loader = loaderOf(facts, pass.number, samples_);
  if (loader == nullptr) return nullptr;
  const std::size_t number = rank.loaders.of(pass, *loader);
  return &rank.meant.try_emplace(pass.number, Meant{number, rank.passes[number]++}).first->second;
}

std::int64_t DrawnBatches::epochOf(const Meant& meant, const PassFacts& pass) const {
  const bool is_told = pass.epoch && (pass.set_epoch_calls > 0 || *pass.epoch > 0);
  const bool fits = is_told && *pass.epoch >= 0 && *pass.epoch < epochs_;
  return fits ? *pass.epoch : meant.counted;
}

void DrawnBatches::takeOf(std::int64_t number, RankReads& rank, Process& process,
                          std::vector<RankRecord>& taken) const {
  constexpr std::size_t kMostLoaders = 1 << 16;  // what a record can tell apart
  const capture::ProcessFacts& facts = process.tail.facts();
  std::deque<Begun> unknown;
  for (const Begun& begun : rank.begun) {
    const PassFacts* const pass = passOf(facts, begun.pass);
    const Meant* const meant = pass == nullptr ? nullptr : meantBy(rank, facts, *pass);
    if (pass != nullptr && meant == nullptr) continue;
    auto& drawn = process.passes[begun.pass];
    const auto found = drawn.find(begun.step);
    if (meant == nullptr || found == drawn.end()) {
      if (!facts.has_limit) unknown.push_back(begun);
      continue;
    }
    const std::int64_t epoch = epochOf(*meant, *pass);
    if (epoch < epochs_ && meant->loader < kMostLoaders) {
      sl_record record{};
      record.kind = SL_DRAWN;
      record.op = static_cast<std::uint16_t>(meant->loader);
      record.epoch = static_cast<std::uint32_t>(epoch);
      record.step = begun.step;
      record.seq = static_cast<std::uint64_t>(begun.pass);
      record.a = found->second.fingerprint;
      record.b = static_cast<std::uint64_t>(found->second.samples);
      taken.push_back({number, record});
    }
    drawn.erase(found);
  }
  rank.begun = std::move(unknown);
  if (rank.pass_of.empty()) return;
  const std::int64_t oldest = rank.pass_of.begin()->second;
  process.passes.erase(process.passes.begin(), process.passes.lower_bound(oldest));
}

std::vector<RankRecord> DrawnBatches::take() {
  std::vector<RankRecord> taken;
  if (std::ranges::any_of(ranks_, [this](const auto& one) { return !processOf(one.second.pid); })) lookForFiles();
  for (auto& [path, process] : processes_) read(process);
  for (auto& [number, rank] : ranks_) {
    if (Process* const process = processOf(rank.pid)) takeOf(number, rank, *process, taken);
  }
  return taken;
}

}  // namespace shardlens
