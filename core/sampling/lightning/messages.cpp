// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/messages.h"

#include "core/base/text.h"
#include "core/sampling/lightning/python_call.h"
#include "core/sampling/python.h"

#include <vector>

namespace shardlens::sampling::lightning {
namespace {

constexpr const char* kMisconfiguration = "MisconfigurationException";

std::string ticked(const std::string& name) {
  return "`" + name + "`";
}

}  // namespace

Error samplerWithoutLength(UserSampler::Length length) {
  const bool none = length == UserSampler::Length::None;
  return raised(
      "TypeError",
      std::string("You seem to have configured a sampler in your DataLoader which does not provide ") +
          (none ? "" : "finite ") +
          "`__len__` method. The sampler was about to be replaced by `DistributedSamplerWrapper` since "
          "`use_distributed_sampler` is True and you are using distributed training. Either provide `__len__` "
          "method in your sampler" +
          (none ? ", remove it from DataLoader " : " which returns a finite number, remove it from DataLoader ") +
          "or set `use_distributed_sampler=False` if you want to handle distributed sampling yourself.",
      "sampler.type");
}

Error noSamplerArgument(const std::string& batch_sampler_class) {
  return raised(
      "TypeError",
      "Trying to inject a modified sampler into the batch sampler; however, it seems the class " +
          ticked(batch_sampler_class) +
          " does not have an argument called `sampler.` To mitigate this, expose an argument `sampler` in the "
          "`__init__` method of your custom class.",
      "sampler.type");
}

Error cannotInject(LightningApi api, bool inside_hook) {
  const bool trainer = api == LightningApi::Trainer;
  const std::string hook =
      trainer && inside_hook
          ? " and instantiate your custom batch sampler inside the `*_dataloader` hook of your module,"
          : "";
  const std::string setting = trainer ? " or set `Trainer(use_distributed_sampler=False)`."
                                      : " or set`.setup_dataloaders(..., use_distributed_sampler=False)`.";
  return raised(
      "TypeError",
      " Lightning can't inject a (distributed) sampler into your batch sampler, because it doesn't subclass "
      "PyTorch's `BatchSampler`. To mitigate this, either follow the API of `BatchSampler`" +
          hook + setting +
          " If you choose the latter, you will be responsible for handling the distributed sampling within your "
          "batch sampler.",
      "sampler.type");
}

Error missingAttributes(const std::string& loader_class, std::span<const std::string> sorted) {
  std::vector<std::string> attributes;
  for (const std::string& name : sorted) attributes.push_back("`self." + name + "`");
  return raised(kMisconfiguration,
                "Trying to inject custom `Sampler` into the " + ticked(loader_class) +
                    " instance. This would fail as some of the `__init__` arguments are not available as instance "
                    "attributes. The missing attributes are " +
                    pyList(sorted) + ". If you instantiate your " + ticked(loader_class) +
                    " inside a `*_dataloader` hook of your module, we will do this for you. Otherwise, define " +
                    join(attributes, ", ") + " inside your `__init__`.");
}

Error missingArguments(LightningApi api, const std::string& loader_class, std::span<const std::string> sorted) {
  return raised(
      api == LightningApi::Trainer ? kMisconfiguration : "TypeError",
      "Trying to inject parameters into the " + ticked(loader_class) +
          " instance. This would fail as it doesn't expose all its attributes in the `__init__` signature. The "
          "missing arguments are " +
          pyList(sorted) + ". HINT: If you wrote the " + ticked(loader_class) +
          " class, add the `__init__` arguments or allow passing `**kwargs`");
}

Error doubleArgument(const std::string& loader_class, const std::string& argument) {
  return raised(
      kMisconfiguration,
      "The " + loader_class + " implementation has an error where more than one `__init__` argument can be " +
          "passed to its parent's `" + argument + "=...` `__init__` argument. This is likely caused by allowing " +
          "passing both a custom argument that will map to the " + ticked(argument) +
          " argument as well as `**kwargs`. `kwargs` should be filtered to make sure they don't contain the " +
          ticked(argument) + " key. This argument was automatically passed to your object by PyTorch Lightning.");
}

}  // namespace shardlens::sampling::lightning
