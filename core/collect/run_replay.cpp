// SPDX-License-Identifier: Apache-2.0
#include "core/collect/run_replay.h"

#include "core/collect/observed_ranks.h"
#include "core/diagnose/planned_epochs.h"

#include <algorithm>
#include <utility>

namespace shardlens {

Result<RunReplay> RunReplay::open(const std::filesystem::path& path, SpanSink on_span) {
  auto source = RecordingSource::open(path);
  if (!source) return source.error();
  return RunReplay(path, *std::move(source), std::move(on_span));
}

RunReplay::RunReplay(std::filesystem::path path, RecordingSource source, SpanSink on_span)
    : path_(std::move(path)), source_(std::move(source)), on_span_(std::move(on_span)) {
  makeReducer();
}

void RunReplay::makeReducer() {
  Shared* shared = shared_.get();
  ExpectedBatch expected;
  if (shared->planned.plan()) {
    auto epochs = std::make_shared<PlannedEpochs>(*shared->planned.plan());
    if (wants_proof_) shared->prover.emplace(epochs, &shared->work);
    expected = expectationOf(std::move(epochs), &shared->work);
  }
  shared->phases.reset();
  if (wants_phases_ && shared->planned.plan() && !shared->planned.spec().schedule.empty())
    shared->phases = PhaseTimer::of(*shared->planned.plan());
  SpanSink on_span = on_span_;
  if (shared->overview || shared->phases)
    on_span = [shared, also = on_span_](std::int64_t rank, const Span& span) {
      if (shared->overview) shared->overview->add(rank, span);
      if (shared->phases) shared->phases->add(rank, span);
      if (also) also(rank, span);
    };
  CollectiveSink on_collective;
  if (shared->phases) on_collective = [shared](const Collective& one) { shared->phases->add(one); };
  const auto on_batch = [shared](const BatchCheck& check) {
    if (check.is_anew) shared->proof.forget(check.rank);
    shared->proof.add(check.rank, shared->planned.globalStep(check.epoch, check.step), check.matches);
  };
  reducer_ = std::make_unique<Reducer>(std::move(expected), std::move(on_span), on_batch, std::move(on_collective));
  if (const auto end = source_.traceEnd()) reducer_->setTrace(end);
}

void RunReplay::begin(const RunBegin& begin) {
  shared_->planned = PlannedBatches(begin.spec_yaml);
  world_size_ = begin.world_size;
  shared_->proof = ProofRecorder(begin.world_size);
  const PlannedBatches& planned = shared_->planned;
  if (shared_->overview) shared_->overview.emplace(begin.world_size);
  const bool is_design = !begin.reports && !begin.spec_yaml.empty();
  facts_ = std::make_shared<const RunFacts>(RunFacts{planned.spec(), planned.total(), planned.epochStarts(),
                                                     planned.problem(), is_design, is_design && begin.world_size == 0,
                                                     begin.started_unix_ns});
  makeReducer();
}

/// The ranks of a command say themselves how many they are; nothing was measured before.
void RunReplay::learnWorld(const Event& event) {
  const auto* record = std::get_if<RankRecord>(&event.what);
  if (world_size_ > 0 || record == nullptr || record->record.kind != SL_HELLO) return;
  world_size_ = reducer_->worldSize();
  shared_->proof = ProofRecorder(world_size_);
  if (shared_->overview) shared_->overview.emplace(world_size_);
}

void RunReplay::keepOverview() {
  shared_->overview.emplace();
  makeReducer();
}

std::optional<Overview> RunReplay::overview() const {
  return shared_->overview ? std::optional(shared_->overview->overview()) : std::nullopt;
}

void RunReplay::event(const Event& event) {
  if (const auto* first = std::get_if<RunBegin>(&event.what)) {
    begin(*first);
    RunBegin counted = *first;  // older recordings do not say how many batches were planned
    counted.planned_batches = facts_->planned_batches;
    if (!facts_->epoch_starts.empty()) counted.planned_steps = facts_->epoch_starts.back();
    reducer_->apply({event.time_ns, std::move(counted), event.clock});
  } else {
    if (shared_->phases) shared_->phases->follow(event);
    reducer_->apply(event);
  }
  learnWorld(event);
  if (shared_->prover) shared_->prover->use(event);
  if (first_ns_ < 0) first_ns_ = event.time_ns;
  now_ns_ = std::max(now_ns_, reducer_->now());
  newest_ns_ = std::max(newest_ns_, now_ns_);
}

bool RunReplay::advance(std::int64_t until_ns, const Work& work) {
  shared_->work = work;
  source_.setWork(work);
  source_.setLimit(until_ns);
  const bool more = source_.pull(*this);
  observe(work);
  return more;
}

/// Once, when the probes write no more.
void RunReplay::observe(const Work& work) {
  if (!begun() || world_size_ > 0 || observed_ != nullptr || (isBeingWritten() && !ended())) return;
  auto ranks = std::make_shared<const std::vector<RankState>>(observedRanks(path_, work));
  if (!work.stopped()) observed_ = std::move(ranks);
}

RunState RunReplay::state() const {
  RunState state = reducer_->snapshot();
  if (observed_ != nullptr) addObserved(*observed_, state);
  return state;
}

void RunReplay::toEnd() {
  shared_->work = {};
  source_.setWork({});
  source_.setLimit(-1);
  drive(source_, *this);
  observe({});
  if (!ended() && !isBeingWritten()) markLost();
}

void RunReplay::markLost() {
  const Event lost{first_ns_ < 0 ? 0 : first_ns_ + now_ns_, source_.lost()};
  reducer_->apply(lost);
  if (shared_->prover) shared_->prover->use(lost);
}

std::optional<Result<std::vector<PhaseTime>>> RunReplay::phases() const {
  return shared_->phases ? std::optional(shared_->phases->result(reducer_->worldSize(), path_)) : std::nullopt;
}

std::optional<Result<Proof>> RunReplay::takeProof(const Work& work) {
  if (!shared_->prover) return std::nullopt;
  shared_->work = work;
  auto proof = shared_->prover->result(note());
  shared_->prover.reset();
  return proof;
}

}  // namespace shardlens
