// SPDX-License-Identifier: Apache-2.0
#include "core/spec/fields/entry.h"

namespace shardlens::fields {
namespace {

/// What only the framework lens looks at.
std::vector<Entry> lightning() {
  using K = FieldKind;
  using Lightning = PipelineSpec::Framework::Lightning;
  constexpr auto kFramework = &PipelineSpec::framework;
  constexpr auto kLightning = &PipelineSpec::Framework::lightning;
  return {
      row<kFramework, kLightning, &Lightning::stage>(
          {.path = "framework.lightning.stage",
           .kind = K::Choice,
           .choices = {"train", "validate", "test", "predict"},
           .help = "What the Trainer does with the loader; in training it always shuffles. For the framework lens.",
           .optional = true}),
      row<kFramework, kLightning, &Lightning::strategy>(
          {.path = "framework.lightning.strategy",
           .kind = K::Choice,
           .choices = {"auto", "ddp"},
           .help =
               "Trainer(strategy=...): auto is ddp on several ranks. With ddp, as with fsdp and deepspeed, Lightning "
               "replaces samplers on one rank, too.",
           .optional = true}),
      row<kFramework, kLightning, &Lightning::use_distributed_sampler>(
          {.path = "framework.lightning.use_distributed_sampler",
           .kind = K::Bool,
           .help = "Trainer(use_distributed_sampler=...), before Lightning 2.0 replace_sampler_ddp: whether it may "
                   "replace samplers.",
           .optional = true}),
      row<kFramework, kLightning, &Lightning::overfit_batches>(
          {.path = "framework.lightning.overfit_batches",
           .kind = K::Int,
           .min = 0,
           .max = kMostSamples,
           .unit = "batches",
           .help = "Trainer(overfit_batches=...): turns shuffling off and uses only so many batches; 0 is off.",
           .optional = true}),
      row<kFramework, kLightning, &Lightning::global_seed>(
          {.path = "framework.lightning.global_seed",
           .kind = K::Int,
           .min = 0,
           .max = 4'294'967'295,
           .help = "PL_GLOBAL_SEED, as seed_everything sets it: the seed of samplers that Lightning puts in; 0 "
                   "without.",
           .optional = true}),
      row<kFramework, kLightning, &Lightning::dataloader_hook>(
          {.path = "framework.lightning.dataloader_hook",
           .kind = K::Bool,
           .help = "Whether the loader is made inside a *_dataloader hook, where Lightning records constructor "
                   "arguments.",
           .optional = true}),
  };
}

}  // namespace

std::vector<Entry> framework() {
  using K = FieldKind;
  using Framework = PipelineSpec::Framework;
  constexpr auto kFramework = &PipelineSpec::framework;
  std::vector<Entry> rows = {
      row<kFramework, &Framework::torch>(
          {.path = "framework.torch",
           .kind = K::Choice,
           .choices = {"1.13", "2.6", "2.9"},
           .help = "The PyTorch version whose behaviour is reproduced, where versions differ."}),
      row<kFramework, &Framework::torch_mkl>(
          {.path = "framework.torch_mkl",
           .kind = K::Bool,
           .help = "Whether that PyTorch was built with MKL, as the usual x86 wheels are; "
                   "torch.backends.mkl.is_available() says it. PyTorch 2.0 to 2.6 lets MKL draw samples without "
                   "replacement in a way of its own.",
           .optional = true}),
  };
  for (Entry& entry : lightning()) rows.push_back(std::move(entry));
  return rows;
}

}  // namespace shardlens::fields
