// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/spec/fields/entry.h"

namespace shardlens::fields {
namespace {

/// What only the framework lens looks at.
std::vector<Entry> lightning() {
  using Lightning = PipelineSpec::Framework::Lightning;
  constexpr auto kFramework = &PipelineSpec::framework;
  constexpr auto kLightning = &PipelineSpec::Framework::lightning;
  return {
      row<kFramework, kLightning, &Lightning::stage>(
          {.path = "framework.lightning.stage",
           .choices = {"train", "validate", "test", "predict"},
           .help = marked("fields",
                          "What the Trainer uses the loader for; in training it always shuffles. Used by the framework "
                          "lens and the audit."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::strategy>(
          {.path = "framework.lightning.strategy",
           .choices = {"auto", "ddp"},
           .help = marked("fields",
                          "Trainer(strategy=...): auto means ddp on several ranks. With ddp, as with fsdp and "
                          "deepspeed, Lightning replaces samplers even on one rank."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::use_distributed_sampler>(
          {.path = "framework.lightning.use_distributed_sampler",
           .help = marked("fields",
                          "Trainer(use_distributed_sampler=...), called replace_sampler_ddp before Lightning 2.0: "
                          "whether it may replace samplers."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::overfit_batches>(
          {.path = "framework.lightning.overfit_batches",
           .min = 0,
           .max = kMostSamples,
           .unit = "batches",
           .help = marked("fields",
                          "Trainer(overfit_batches=...): uses only the first batches, without shuffling; 0 means off."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::global_seed>(
          {.path = "framework.lightning.global_seed",
           .min = 0,
           .max = 4'294'967'295,
           .help = marked(
               "fields",
               "PL_GLOBAL_SEED, which seed_everything sets: the seed of the samplers that Lightning adds; 0 if unset."),
           .optional = true}),
      row<kFramework, kLightning, &Lightning::dataloader_hook>(
          {.path = "framework.lightning.dataloader_hook",
           .help = marked("fields",
                          "Whether the loader is created inside a *_dataloader hook, where Lightning records "
                          "constructor arguments."),
           .optional = true}),
  };
}

}  // namespace

std::vector<Entry> framework() {
  using Framework = PipelineSpec::Framework;
  constexpr auto kFramework = &PipelineSpec::framework;
  std::vector<Entry> rows = {
      row<kFramework, &Framework::torch>(
          {.path = "framework.torch",
           .choices = {"1.13", "2.6", "2.9"},
           .help = marked("fields", "The PyTorch version to reproduce, where versions differ.")}),
      row<kFramework, &Framework::torch_mkl>(
          {.path = "framework.torch_mkl",
           .help = marked("fields",
                          "Whether this PyTorch was built with MKL, as the usual x86 wheels are; "
                          "torch.backends.mkl.is_available() tells. In PyTorch 2.0 to 2.6, MKL draws samples without "
                          "replacement with a different generator."),
           .optional = true}),
      row<kFramework, &Framework::torchdata>(
          {.path = "framework.torchdata",
           .choices = {"0.11", "0.12"},
           .help = marked("fields",
                          "The torchdata version, which decides how a run continues: since 0.12 (main branch, 3 "
                          "December 2025) the state of a StatefulDistributedSampler holds the epoch."),
           .optional = true}),
  };
  for (Entry& entry : lightning()) rows.push_back(std::move(entry));
  return rows;
}

}  // namespace shardlens::fields
