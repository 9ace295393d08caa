// SPDX-License-Identifier: Apache-2.0
#include "core/collect/job_proof.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/capture/capture_words.h"
#include "core/capture/epochs_of_passes.h"
#include "core/capture/loader_spec.h"
#include "core/capture/probe_reader.h"
#include "core/collect/collect_words.h"
#include "core/plan/diff.h"
#include "core/plan/rank_epoch.h"
#include "core/record/frame.h"
#include "core/record/recording_reader.h"
#include "core/sampling/recorded_lists.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <variant>

namespace shardlens {
namespace {

namespace fs = std::filesystem;
using capture::BatchFacts;
using capture::JobLoader;
using capture::RankLoader;
using capture::RecordedJob;

bool holdsRecorded(const Plan& design) {
  return design.spec().sampler.type == sampling::kRecordedBatches;
}

capture::EpochsOfPasses epochsOf(const JobLoader& job, const Plan& design) {
  return {job, design.epochs(), holdsRecorded(design)};
}

/// Which step of the design a batch of the pass is: one that holds what was read lacks the batches that raised.
std::int64_t stepOf(const capture::PassFacts& pass, const BatchFacts& batch, const Plan& design) {
  return holdsRecorded(design) ? pass.placeOf(batch.step) : batch.step;
}

/// Holds one loader of a job against a design.
class LoaderProver {
 public:
  LoaderProver(const Plan& design, const RecordedJob& recorded, const JobLoader& job, const Work& work)
      : recorded_(recorded),
        job_(job),
        world_size_(design.worldSize()),
        work_(work),
        planned_(std::make_shared<PlannedEpochs>(design)),
        expected_(expectationOf(planned_, &work_)),
        prover_(planned_, &work_),
        grid_(design.worldSize()),
        epochs_(epochsOf(job, design)) {}

  Result<JobProof> prove(const fs::path& recording) {
    if (auto counted = countSteps(); !counted) return counted.error();
    const bool is_dispatched = capture::isDispatched(job_);
    const bool is_known = !is_dispatched && (job_.programs == 1 || world_size_ == 1);
    RunBegin begin;
    if (is_known) begin.world_size = std::clamp<std::int64_t>(job_.world_size, 1, frame::kMostRanks);
    begin.nodes = job_.world.nodes;
    begin.reports = false;
    prover_.use({0, begin});
    for (const auto& [rank, process] : job_.elsewhere) prover_.standApart(rank);
    for (const RankLoader& rank : job_.ranks) {
      if (!is_known) break;
      if (auto used = useRank(rank); !used) return used.error();
      if (work_.stopped()) return cancelled();
    }
    for (const RankLoader& rank : job_.ranks) {
      if (!is_known)
        prover_.lose(
            rank.rank,
            is_dispatched
                ? worded("proof", "rank 0 reads this loader for all ranks, and the parts that it sent are not recorded")
                : worded("proof",
                         "several processes read this loader, and neither torch.distributed nor a launcher says which "
                         "rank each of them is"));
      if (batches_ == 0) prover_.lose(rank.rank, worded("proof", "the recording holds no batch of this loader"));
    }
    const auto note = useEnd(recording);
    if (!note) return note.error();
    auto proof = prover_.result(*note);
    if (!proof) return proof.error();
    if (const std::int64_t extra = epochs_.extraReads(); extra > 0)
      proof->notes.push_back(
          extra == 1
              ? worded("proof",
                       "Not compared: 1 further pass over epochs that the job reads, such as a look at the first "
                       "batch or an evaluation.")
              : filled(worded("proof",
                              "Not compared: %1 further passes over epochs that the job reads, such as a look "
                              "at the first batch or an evaluation."),
                       grouped(extra)));
    JobProof out;
    out.proof = *std::move(proof);
    out.loader = job_.name;
    out.site = job_.own_site;
    out.grid = grid_.recent();
    out.epoch_starts = std::move(starts_);
    out.passes = epochs_;
    if (out.proof.result == ProofResult::Match) out.sentence = words::asDesigned(batches_, ranks_, told_epochs_);
    return out;
  }

 private:
  /// A batch, without its samples.
  struct Read {
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::uint64_t fingerprint = 0;
    std::int64_t samples = 0;
    auto operator<=>(const Read&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes <=> for a 0
  };

  /// The columns of the grid are steps over all epochs.
  Result<void> countSteps() {
    for (Epoch epoch{0}; epoch.value < planned_->plan().epochs(); ++epoch) {
      const auto shape = planned_->plan().epochShape(epoch);
      if (!shape) return shape.error();
      if (work_.stopped()) return cancelled();
      starts_.push_back(starts_.back() + shape->steps);
    }
    return {};
  }

  Result<void> useRank(const RankLoader& rank) {
    std::map<std::int64_t, std::pair<const capture::PassFacts*, std::int64_t>> epoch_of;  // of a pass, by its number
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      if (const auto epoch = epochs_.of(rank.rank, i)) epoch_of[rank.passes[i].number] = {&rank.passes[i], *epoch};
    }
    const auto was_told = [](const capture::PassFacts& pass) { return pass.epoch.value_or(0) > 0; };
    if (std::ranges::any_of(rank.passes, was_told)) prover_.tellEpoch(rank.rank);
    if (epochs_.first() > 0) prover_.beginAt(rank.rank, epochs_.first());
    std::vector<Read> reads;
    bool is_opaque = false;
    const auto use = [&](const BatchFacts& batch) {
      const auto epoch = epoch_of.find(batch.pass);
      if (epoch == epoch_of.end() || !batch.is_handed) return;
      is_opaque = is_opaque || batch.is_opaque;
      if (batch.is_opaque) return;
      const std::vector<SampleIndex> samples(batch.samples.begin(), batch.samples.end());
      const auto& [pass, number] = epoch->second;
      reads.push_back({number, stepOf(*pass, batch, planned_->plan()), fingerprintOf(samples), batch.items});
    };
    const auto process = capture::readBatches(recorded_.files[rank.process], job_, rank, use, work_);
    if (!process) return process.error();
    doubt(rank, *process, is_opaque);
    std::ranges::stable_sort(
        reads, [](const Read& a, const Read& b) { return std::pair(a.epoch, a.step) < std::pair(b.epoch, b.step); });
    for (const Read& read : reads) tell(rank.rank, read);
    return {};
  }

  /// Why more may have been read than is known.
  void doubt(const RankLoader& rank, const capture::ProcessFacts& process, bool is_opaque) {
    std::int64_t not_recorded = 0;
    for (std::size_t i = 0; i < rank.passes.size(); ++i)
      not_recorded +=
          epochs_.of(rank.rank, i) ? std::max<std::int64_t>(0, rank.passes[i].read() - rank.passes[i].recorded) : 0;
    std::string why;
    if (rank.loader.is_iterable)
      why = filled(worded("proof", "the dataset of rank %1 is iterable, so its loader has no indices"),
                   std::to_string(rank.rank));
    if (why.empty() && is_opaque)
      why = filled(worded("proof", "the sampler of rank %1 yields no whole numbers"), std::to_string(rank.rank));
    if (why.empty() && job_.starts > 1)
      why = worded("proof", "the ranks of this loader were started more than once, and only one start is compared");
    if (why.empty() && process.damaged_bytes > 0)
      why = filled(worded("proof", "what the probe of rank %1 wrote is damaged"), std::to_string(rank.rank));
    if (why.empty() && not_recorded > 0)
      why = filled(worded("proof", "rank %1 drew batches that are not recorded"), std::to_string(rank.rank));
    if (why.empty() && process.has_limit)
      why = filled(worded("proof", "the file of rank %1 reached its limit, and what it read later is not recorded"),
                   std::to_string(rank.rank));
    if (why.empty() && !process.has_end)
      why =
          job_.goes_on
              ? words::runContinues()
              : filled(
                    worded("proof",
                           "rank %1 did not say that it ended: it was killed, it is still running, or it ended without "
                           "Python's exit handlers"),
                    std::to_string(rank.rank));
    if (!why.empty()) prover_.lose(rank.rank, why);
  }

  void tell(std::int64_t rank, const Read& read) {
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    if (read.epoch < 0 || read.epoch > kMost || read.step < 0 || read.step > kMost) return;
    prover_.useBatch(rank, {read.epoch, read.step}, read.fingerprint, static_cast<std::size_t>(read.samples));
    mark(rank, read);
    ++batches_;
    ranks_.insert(rank);
    told_epochs_.insert(read.epoch);
  }

  void mark(std::int64_t rank, const Read& read) {
    if (rank >= world_size_ || read.epoch + 1 >= static_cast<std::int64_t>(starts_.size())) return;
    const auto planned = expected_(rank, read.epoch, read.step);
    if (!planned || !*planned) return;  // a batch beyond the plan has no place in the grid
    const bool matches = (*planned)->fingerprint == read.fingerprint && (*planned)->samples == read.samples;
    grid_.add(rank, starts_[static_cast<std::size_t>(read.epoch)] + read.step, matches);
  }

  /// How the run ended, and what its reader has to say. A folder in which nobody recorded the job says nothing of that.
  Result<std::string> useEnd(const fs::path& recording) {
    const auto use = [this](const Event& event) {
      const bool is_end = std::holds_alternative<RunEnd>(event.what);
      if (is_end || std::holds_alternative<RecordingLost>(event.what)) prover_.use(event);
    };
    const auto read = readRecording(recording, use);
    if (read) return read->note();
    prover_.use({0, RecordingLost{}});
    return std::string();
  }

  const RecordedJob& recorded_;
  const JobLoader& job_;
  std::int64_t world_size_;  ///< of the design
  Work work_;
  std::shared_ptr<PlannedEpochs> planned_;
  ExpectedBatch expected_;
  BatchProver prover_;
  ProofRecorder grid_;
  std::vector<std::int64_t> starts_ = {0};
  capture::EpochsOfPasses epochs_;
  std::int64_t batches_ = 0;
  std::set<std::int64_t> ranks_;
  std::set<std::int64_t> told_epochs_;
};

/// Of the fields that decide the order of samples, and that the loader of the job shows.
std::vector<std::string> differencesOf(const PipelineSpec& design, const PipelineSpec& loader, bool knows_nodes) {
  std::vector<std::string> texts;
  for (const FieldChange& change : changedFields(design, loader)) {
    const bool decides = change.path.starts_with("dataset.") || (knows_nodes && change.path.starts_with("world.")) ||
                         change.path.starts_with("sampler.") || change.path == "loader.batch_size" ||
                         change.path == "loader.drop_last";
    if (decides && !change.before.empty() && !change.after.empty())
      texts.push_back(words::valueOfJob(change.path, change.after, change.before));
  }
  return texts;
}

/// The first difference: what was read there, and what is planned. A batch that the job did not read has no ids.
struct Difference {
  capture::FirstDifference batch;
  SampleSum read = {};     ///< of the whole epoch, by its rank, where that is asked for
  SampleSum planned = {};  ///< likewise
};

SampleSum sumOf(const std::vector<SampleIndex>& samples) {
  SampleSum sum;
  for (const SampleIndex sample : samples) sum.add(sample);
  return sum;
}

Difference differenceAt(const FirstDifference& place, bool sums_epoch, const Plan& design, const RecordedJob& recorded,
                        const JobLoader& job, const Work& work) {
  Difference out{{place.rank, place.epoch, place.step, std::nullopt, std::nullopt}};
  const capture::EpochsOfPasses epochs = epochsOf(job, design);
  for (const RankLoader& rank : job.ranks) {
    if (rank.rank != place.rank) continue;
    std::map<std::int64_t, const capture::PassFacts*> passes;  // by number
    for (std::size_t i = 0; i < rank.passes.size(); ++i) {
      if (epochs.of(rank.rank, i) == place.epoch) passes[rank.passes[i].number] = &rank.passes[i];
    }
    const auto use = [&](const BatchFacts& batch) {
      const auto pass = passes.find(batch.pass);
      if (!batch.is_handed || batch.is_opaque || pass == passes.end()) return;
      if (sums_epoch) std::ranges::for_each(batch.samples, [&](SampleIndex id) { out.read.add(id); });
      if (stepOf(*pass->second, batch, design) == place.step)
        out.batch.read = std::vector<SampleIndex>(batch.samples.begin(), batch.samples.end());
    };
    (void)capture::readBatches(recorded.files[rank.process], job, rank, use, work);
  }
  if (place.rank >= design.worldSize() || place.epoch >= design.epochs()) return out;
  const auto planned = design.rankEpoch(Epoch{place.epoch}, Rank{place.rank}, work);
  if (!planned) return out;
  if (place.step < planned->batches()) out.batch.planned = planned->batchSamples(Step{place.step});
  for (Step step{0}; sums_epoch && step.value < planned->batches(); ++step) {
    const RankEpoch::Range items = planned->batch(step);
    for (std::int64_t k = items.first; k < items.last; ++k) out.planned.add(planned->sample(k));
  }
  return out;
}

/// The planned samples in another order are no other samples.
void sayOrder(const Difference& difference, Proof& proof) {
  const auto& [rank, epoch, step, planned, read] = difference.batch;
  if (!planned || !read || *planned == *read) return;
  if (sumOf(*read) == sumOf(*planned))
    proof.what = words::differs(rank, epoch, step, worded("proof", "has the planned samples in another order"));
  if (proof.explanation.empty() && difference.read == difference.planned)
    proof.explanation = filled(worded("proof", "In epoch %1, rank %2 read its planned samples in another order."),
                               std::to_string(epoch), std::to_string(rank));
}

Result<JobProof> proveLoader(const Plan& design, const RecordedJob& recorded, std::size_t index,
                             const fs::path& recording, const Work& work) {
  const JobLoader& job = recorded.loaders[index];
  auto proved = LoaderProver(design, recorded, job, work).prove(recording);
  if (!proved) return proved;
  const capture::LoaderSpec spec = capture::specOf(job, recorded.processes);
  std::vector<std::string> notes = {words::loaderCompared(recorded.loaders, index)};
  if (proved->proof.result == ProofResult::Mismatch) {
    if (!job.elsewhere.empty()) notes.push_back(words::ranksMissing(job));
    if (const auto& first = proved->proof.first_difference) {
      const bool is_open = proved->proof.explanation.empty();
      const Difference difference = differenceAt(*first, is_open, design, recorded, job, work);
      notes.push_back(words::batchesThere(difference.batch));
      sayOrder(difference, proved->proof);
    }
    if (spec.problems.empty()) proved->differing = differencesOf(design.spec(), spec.spec, job.knows_nodes);
    notes.insert(notes.end(), spec.problems.begin(), spec.problems.end());
  }
  if (std::string unequal = words::unequalPasses(job);
      !unequal.empty() && holdsRecorded(design) && !epochsOf(job, design).areTold())
    notes.push_back(std::move(unequal));
  notes.insert(notes.end(), job.remarks.begin(), job.remarks.end());
  notes.insert(notes.end(), recorded.notes.begin(), recorded.notes.end());
  auto& all = proved->proof.notes;
  all.insert(all.begin(), notes.begin(), notes.end());
  return proved;
}

/// The one of several that obeys the design; otherwise it is not clear which one is meant.
Result<JobProof> proveOneOf(const Plan& design, const RecordedJob& recorded, const std::vector<std::size_t>& several,
                            const fs::path& recording, const Work& work) {
  std::vector<JobProof> right;
  std::vector<JobProof> of_nobody;  // processes of a larger world that do not say which rank they are
  for (const std::size_t index : several) {
    auto proved = proveLoader(design, recorded, index, recording, work);
    if (!proved || several.size() == 1) return proved;
    if (proved->proof.result == ProofResult::Match)
      right.push_back(*std::move(proved));
    else if (recorded.loaders[index].programs > 1 && design.worldSize() > 1)
      of_nobody.push_back(*std::move(proved));
  }
  if (right.size() == 1) return right.front();
  if (of_nobody.size() == several.size()) return of_nobody.front();
  std::vector<JobLoader> candidates;
  candidates.reserve(several.size());
  for (const std::size_t index : several) candidates.push_back(recorded.loaders[index]);
  return words::severalLoaders(candidates);
}

Result<JobProof> proveObserved(const Plan& design, const RecordedJob& recorded, const fs::path& recording,
                               const std::string& loader, const Work& work) {
  const auto candidates = capture::loadersFor(recorded.loaders, design.spec(), loader);
  if (!candidates) return candidates.error();
  return proveOneOf(design, recorded, *candidates, recording, work);
}

/// Whether the ranks told their batches themselves.
bool reportsBatches(const fs::path& recording) {
  bool any = false;
  const auto use = [&any](const Event& event) {
    const auto* record = std::get_if<RankRecord>(&event.what);
    any = any || (record != nullptr && record->record.kind == SL_BATCH);
  };
  return readRecording(recording, use) && any;
}

Result<JobProof> proveReported(const Plan& design, const fs::path& recording, std::size_t probes, const Work& work) {
  auto proof = prove(design, recording, work);
  if (!proof) return proof.error();
  JobProof out;
  if (proof->checked_batches == 0) proof->notes.push_back(words::noLoaders(recording.string(), probes).message);
  out.spec_yaml = proof->spec_yaml;
  out.proof = *std::move(proof);
  return out;
}

}  // namespace

std::string JobProof::text() const {
  if (proof.result != ProofResult::Match) return proof.what;
  return sentence.empty() ? filled(worded("proof", "%1 batches, all as planned."), grouped(proof.checked_batches))
                          : sentence;
}

std::string differencesText(const JobProof& proof, const std::vector<std::string>& differing) {
  if (differing.empty()) return {};
  return proof.loader ? filled(worded("proof", "The job's loader is not the designed one: %1."),
                               join(differing, worded("capture", "; ")))
                      : filled(worded("proof", "The run used another spec; it differs in %1."),
                               join(differing, worded("proof", ", ")));
}

Result<JobProof> proveJob(const Plan& design, const fs::path& recording, const std::string& loader, const Work& work) {
  const auto recorded = capture::readJob(recording, work.part(0, 0.3));
  if (!recorded) return recorded.error();
  if (recorded->loaders.empty() && !loader.empty()) return words::noLoaders(recording.string(), recorded->files.size());
  if (recorded->loaders.empty()) return proveReported(design, recording, recorded->files.size(), work.part(0.3, 1));
  std::optional<JobProof> reported;
  if (loader.empty() && reportsBatches(recording)) {
    auto proved = proveReported(design, recording, recorded->files.size(), work.part(0.3, 0.6));
    if (!proved || proved->proof.result != ProofResult::Incomplete) return proved;
    reported = *std::move(proved);
  }
  auto observed = proveObserved(design, *recorded, recording, loader, work.part(0.6, 1));
  const bool decides = observed && observed->proof.result != ProofResult::Incomplete;
  return reported && !decides ? Result<JobProof>(*std::move(reported)) : std::move(observed);
}

Result<std::string> designOf(const fs::path& recording) {
  auto reader = RecordingReader::open(recording);
  if (!reader) return reader.error();
  for (const Event& event : reader->readMore()) {
    if (const auto* begin = std::get_if<RunBegin>(&event.what)) return begin->spec_yaml;
  }
  return std::string();
}

}  // namespace shardlens
