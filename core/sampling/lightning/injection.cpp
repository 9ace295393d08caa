// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/injection.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/equal_nodes.h"
#include "core/sampling/lightning/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/inner_sampler.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace shardlens::sampling {
namespace {

/// How arguments do not fit a constructor, in the order in which CPython looks.
enum class PyMisfit { None, UnexpectedKeyword, GivenTwice, TooMany, Missing };

/// What comes of a call: the misfit, and the TypeError that CPython (3.11 to 3.13) raises for it, without its
/// suggestions of similar names.
struct PyCallOutcome {
  PyMisfit misfit = PyMisfit::None;
  Error error = {};  ///< empty where there is no misfit
};

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string inQuotes(const std::string& name) {
  return "'" + name + "'";
}

/// 'a' and 'b'; 'a', 'b', and 'c'.
std::string enumerated(std::span<const std::string> names) {
  std::vector<std::string> parts;
  std::ranges::transform(names, std::back_inserter(parts), inQuotes);
  if (parts.size() < 2) return join(parts, "");
  if (parts.size() == 2) return parts[0] + " and " + parts[1];
  parts.back() = "and " + parts.back();
  return join(parts, ", ");
}

PyCallOutcome typeError(PyMisfit misfit, const std::string& class_name, const std::string& what) {
  return {misfit, raised("TypeError", class_name + ".__init__() " + what)};
}

PyCallOutcome checkKeyword(const std::string& class_name, const PySignature& signature, std::size_t positional,
                           const std::string& keyword) {
  const auto found = std::ranges::find(signature.parameters, keyword, &PySignature::Parameter::name);
  if (found == signature.parameters.end()) {
    if (signature.var_keywords) return {};
    return typeError(PyMisfit::UnexpectedKeyword, class_name,
                     "got an unexpected keyword argument " + inQuotes(keyword));
  }
  const auto place = static_cast<std::size_t>(found - signature.parameters.begin());
  if (place >= positional) return {};
  return typeError(PyMisfit::GivenTwice, class_name, "got multiple values for argument " + inQuotes(keyword));
}

/// "takes from 1 to 3 positional arguments but 4 were given": self counts on both sides.
std::string tooMany(const PySignature& signature, std::size_t positional) {
  const auto required =
      static_cast<std::size_t>(std::ranges::count_if(signature.parameters, &PySignature::Parameter::required));
  const std::size_t most = signature.parameters.size() + 1;
  const bool range = required + 1 < most;
  return std::string("takes ") + (range ? "from " + std::to_string(required + 1) + " to " : "") + std::to_string(most) +
         " positional argument" + (most == 1 && !range ? "" : "s") + " but " + std::to_string(positional + 1) +
         (positional == 0 ? " was given" : " were given");
}

/// Calls class_name(*positional, **keywords).
PyCallOutcome checkCall(const std::string& class_name, const PySignature& signature, std::size_t positional,
                        std::span<const std::string> keywords) {
  for (const std::string& keyword : keywords) {
    auto outcome = checkKeyword(class_name, signature, positional, keyword);
    if (outcome.misfit != PyMisfit::None) return outcome;
  }
  if (positional > signature.parameters.size())
    return typeError(PyMisfit::TooMany, class_name, tooMany(signature, positional));
  std::vector<std::string> missing;
  for (std::size_t place = positional; place < signature.parameters.size(); ++place) {
    const auto& parameter = signature.parameters[place];
    if (parameter.required && !contains(keywords, parameter.name)) missing.push_back(parameter.name);
  }
  if (missing.empty()) return {};
  return typeError(PyMisfit::Missing, class_name,
                   "missing " + std::to_string(missing.size()) + " required positional argument" +
                       (missing.size() == 1 ? "" : "s") + ": " + enumerated(missing));
}

/// ['a', 'b']: repr() of a list of names.
std::string pyList(std::span<const std::string> names) {
  std::vector<std::string> parts;
  std::ranges::transform(names, std::back_inserter(parts), inQuotes);
  return "[" + join(parts, ", ") + "]";
}

/// Lightning's own exceptions about loaders that it cannot make again (2.6.2), word for word.
namespace lightning {

constexpr const char* kMisconfiguration = "MisconfigurationException";

std::string ticked(const std::string& name) {
  return "`" + name + "`";
}

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

/// `inside_hook`: the Trainer's longer advice, for a class that looks like a BatchSampler and takes other arguments.
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

}  // namespace lightning

using Names = std::vector<std::string>;

bool isRandom(const UserSampler& sampler) {
  return sampler.kind == UserSampler::Kind::Random;
}

/// Lightning's guess whether a loader shuffles: the recorded argument, or the class of the innermost sampler it finds.
bool isShuffled(const UserLoader& loader) {
  if (loader.in_hook && loader.shuffle) return *loader.shuffle;
  if (loader.iterable) return false;
  if (!loader.batch_sampler) return isRandom(loader.sampler);
  return loader.batch_sampler->sampler && isRandom(*loader.batch_sampler->sampler);
}

/// Looks at loader.sampler alone: a DistributedSampler inside a batch sampler does not count.
bool requiresDistributedSampler(const UserLoader& loader, const LightningSettings& settings) {
  return settings.use_distributed_sampler && settings.is_distributed && !loader.iterable &&
         loader.sampler.kind != UserSampler::Kind::Distributed;
}

InjectedSampler injectedFor(const UserLoader& loader, const LightningSettings& settings) {
  if (settings.predicting) return InjectedSampler::UnrepeatedWrapper;
  const bool plain = isRandom(loader.sampler) || loader.sampler.kind == UserSampler::Kind::Sequential;
  return plain ? InjectedSampler::Distributed : InjectedSampler::Wrapper;
}

std::string injectedClass(const PreparedLoader& prepared, const UserLoader& loader) {
  switch (prepared.injected) {
    case InjectedSampler::Distributed:
      return "DistributedSampler";
    case InjectedSampler::Wrapper:
      return "DistributedSamplerWrapper";
    case InjectedSampler::UnrepeatedWrapper:
      return "UnrepeatedDistributedSamplerWrapper";
    case InjectedSampler::Kept:
      break;
  }
  return loader.sampler.class_name;
}

/// What becomes of a batch sampler that is not simply dropped.
enum class BatchSamplerFate { Rebuilt, Kept };

/// Arguments recorded inside a hook: `sampler` must be among them, or have a default.
Result<BatchSamplerFate> rebuildRecorded(const UserBatchSampler& batch_sampler) {
  const auto parameter = std::ranges::find(batch_sampler.init.parameters, "sampler", &PySignature::Parameter::name);
  const bool defaulted = parameter != batch_sampler.init.parameters.end() && !parameter->required;
  if (batch_sampler.call.gives("sampler") || defaulted) return BatchSamplerFate::Rebuilt;
  return lightning::noSamplerArgument(batch_sampler.class_name);
}

/// cls(sampler, batch_size=..., drop_last=...).
Result<BatchSamplerFate> rebuildByAttributes(const UserBatchSampler& batch_sampler, LightningApi api) {
  static const Names kKeywords = {"batch_size", "drop_last"};
  const PyCallOutcome call = checkCall(batch_sampler.class_name, batch_sampler.init, 1, kKeywords);
  if (call.misfit == PyMisfit::None) return BatchSamplerFate::Rebuilt;
  // Lightning's pattern is for an unexpected keyword, too, but looks for it at the start of the message.
  return call.misfit == PyMisfit::GivenTwice ? lightning::cannotInject(api, true) : call.error;
}

Result<BatchSamplerFate> fateOf(const UserLoader& loader, const LightningSettings& settings) {
  const UserBatchSampler& batch_sampler = *loader.batch_sampler;
  if (loader.in_hook && batch_sampler.inherits) return rebuildRecorded(batch_sampler);
  if (batch_sampler.has_batch_size && batch_sampler.has_drop_last) {
    return rebuildByAttributes(batch_sampler, settings.api);
  }
  if (settings.predicting) return BatchSamplerFate::Kept;
  return lightning::cannotInject(settings.api, false);
}

/// Whether the loader's batch sampler is carried over; otherwise the new loader makes one of its own batch_size.
bool carriesBatchSampler(const UserLoader& loader, const LightningSettings& settings) {
  if (loader.iterable || !loader.batch_sampler) return false;
  return !loader.batch_sampler->exact || settings.predicting;
}

/// The keywords that the new loader gets besides its old arguments, in their order.
Names injectedKeywords(const UserLoader& loader, bool carries) {
  if (loader.iterable) return {"batch_sampler", "sampler"};
  Names names = {"sampler", "shuffle", "batch_sampler"};
  if (carries) names.insert(names.end(), {"batch_size", "drop_last"});
  return names;
}

/// Required arguments that neither the attributes nor the recorded call can give.
Names missingAttributes(const UserLoader& loader, const Names& keywords) {
  Names missing;
  for (const auto& [name, required] : loader.init.parameters) {
    const bool known =
        loader.in_hook ? loader.call.gives(name) : name == "dataset" || contains(loader.attributes, name);
    if (required && !known && !contains(keywords, name)) missing.push_back(name);
  }
  std::ranges::sort(missing);
  return missing;
}

Names missingArguments(const UserLoader& loader, const Names& keywords) {
  Names given = keywords;
  if (loader.in_hook) {
    given.insert(given.end(), loader.call.positional.begin(), loader.call.positional.end());
    given.insert(given.end(), loader.call.keywords.begin(), loader.call.keywords.end());
  } else {
    given.emplace_back("dataset");
  }
  Names missing;
  std::ranges::copy_if(given, std::back_inserter(missing), [&](const auto& name) { return !loader.init.has(name); });
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

/// Whether the loader's class can be called with its old arguments and the new ones.
Result<void> checkNewLoader(const UserLoader& loader, const LightningSettings& settings, bool carries) {
  const Names keywords = injectedKeywords(loader, carries);
  if (loader.subclass) {
    if (const Names missing = missingAttributes(loader, keywords); !missing.empty()) {
      return lightning::missingAttributes(loader.class_name, missing);
    }
    if (const Names missing = missingArguments(loader, keywords); !loader.init.var_keywords && !missing.empty()) {
      return lightning::missingArguments(settings.api, loader.class_name, missing);
    }
  }
  if (!loader.in_hook) return {};
  const auto twice =
      std::ranges::find_if(keywords, [&](const auto& name) { return contains(loader.call.positional, name); });
  if (twice == keywords.end()) return {};
  return lightning::doubleArgument(loader.class_name, *twice);
}

/// The new loader cuts batches of its own batch_size: its attribute, or the argument recorded inside a hook. Where the
/// script gave a batch sampler the attribute is None and the argument its default.
void batchAnew(const UserLoader& loader, PreparedLoader& prepared) {
  if (loader.gave_batch_sampler) {
    prepared.batches = loader.in_hook;
    prepared.batch_size = 1;
    prepared.drop_last = false;
    prepared.sampler_lost = true;
  }
  const std::string sampler = injectedClass(prepared, loader);
  prepared.sampler_class = sampler;
  prepared.batch_sampler_class = prepared.batches ? std::optional<std::string>("BatchSampler") : std::nullopt;
  prepared.inner_class = prepared.batches ? sampler : "NoneType";
}

void carryBatchSampler(const UserLoader& loader, const LightningSettings& settings, BatchSamplerFate fate,
                       PreparedLoader& prepared) {
  const UserBatchSampler& batch_sampler = *loader.batch_sampler;
  prepared.sampler_class = "SequentialSampler";  // DataLoader's own default beside a batch sampler
  prepared.batch_sampler_class = settings.predicting ? "_IndexBatchSamplerWrapper" : batch_sampler.class_name;
  if (settings.predicting) prepared.drop_last = fate == BatchSamplerFate::Kept && prepared.drop_last;
  if (fate == BatchSamplerFate::Kept) {
    prepared.injected = InjectedSampler::Kept;
    prepared.unsharded = settings.is_distributed;
    if (batch_sampler.sampler) prepared.inner_class = batch_sampler.sampler->class_name;
    return;
  }
  prepared.sampler_lost = loader.gave_batch_sampler;
  if (batch_sampler.sampler) prepared.inner_class = injectedClass(prepared, loader);
}

PreparedLoader asWritten(const UserLoader& loader, const LightningSettings& settings) {
  PreparedLoader prepared;
  prepared.shuffle_detected =
      settings.api == LightningApi::Fabric ? isRandom(loader.sampler) : settings.training || isShuffled(loader);
  prepared.sampler_class = loader.sampler.class_name;
  prepared.batches = loader.batch_sampler.has_value();
  prepared.batch_size = loader.batch_size;
  prepared.drop_last = loader.drop_last;
  if (loader.batch_sampler) {
    prepared.batch_sampler_class = loader.batch_sampler->class_name;
    if (loader.batch_sampler->sampler) prepared.inner_class = loader.batch_sampler->sampler->class_name;
  }
  return prepared;
}

Result<void> inject(const UserLoader& loader, const LightningSettings& settings, PreparedLoader& prepared) {
  prepared.injected = injectedFor(loader, settings);
  prepared.shuffle = prepared.shuffle_detected && !settings.overfit;
  prepared.seed = settings.seed;
  if (prepared.injected == InjectedSampler::Distributed) return {};
  if (auto length = checkSamplerLength(loader.sampler); !length) return length;
  if (prepared.injected == InjectedSampler::Wrapper) return {};
  return checkUnrepeatedShare(loader.sampler.size, settings.world_size, settings.rank);
}

}  // namespace

bool PySignature::has(const std::string& name) const {
  return std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
}

bool PyCall::gives(const std::string& name) const {
  return contains(positional, name) || contains(keywords, name);
}

Result<void> checkSamplerLength(const UserSampler& sampler) {
  if (sampler.length == UserSampler::Length::Finite) return {};
  return lightning::samplerWithoutLength(sampler.length);
}

Result<PreparedLoader> prepareLoader(const UserLoader& loader, const LightningSettings& settings) {
  PreparedLoader prepared = asWritten(loader, settings);
  const bool distributes = requiresDistributedSampler(loader, settings);
  if (!distributes && !settings.predicting) return prepared;
  prepared.replaced = true;
  if (distributes) {
    if (auto made = inject(loader, settings, prepared); !made) return made.error();
  }
  const bool carries = carriesBatchSampler(loader, settings);
  const auto fate = carries ? fateOf(loader, settings) : Result<BatchSamplerFate>(BatchSamplerFate::Rebuilt);
  if (!fate) return fate.error();
  if (auto fits = checkNewLoader(loader, settings, carries); !fits) return fits.error();
  if (loader.iterable) return prepared;  // made anew with the same default sampler
  if (carries) {
    carryBatchSampler(loader, settings, *fate, prepared);
  } else {
    batchAnew(loader, prepared);
  }
  return prepared;
}

Result<PipelineSpec> preparedSpec(const PipelineSpec& written, const PreparedLoader& prepared) {
  PipelineSpec spec = written;
  if (prepared.sampler_lost) spec.sampler = {"torch.SequentialSampler", {}};
  spec.loader.batch_size = prepared.batches ? prepared.batch_size : 1;
  spec.loader.drop_last = prepared.batches && prepared.drop_last;
  if (prepared.injected == InjectedSampler::Kept) return spec;
  if (prepared.injected == InjectedSampler::Distributed) {
    spec.sampler = {"torch.DistributedSampler", {{"shuffle", prepared.shuffle}, {"seed", prepared.seed}}};
    if (!spec.world.ranks_per_node.ofEveryNode())
      spec.sampler.parameters["num_replicas"] = std::string(kNodesTimesRanks);
    return spec;
  }
  if (auto equal = checkEqualNodes(spec); !equal) return equal.error();
  const std::string inner = innerNameOf(spec.sampler.type);
  if (inner.empty()) {
    return unsupported(
        filled(worded("checks", "not predictable, because no rule of this build wraps a %1."), spec.sampler.type),
        "sampler.type", "");
  }
  auto& parameters = spec.sampler.parameters;
  const bool padded = prepared.injected == InjectedSampler::Wrapper;
  spec.sampler.type = padded ? "lightning.DistributedSamplerWrapper" : "lightning.UnrepeatedDistributedSamplerWrapper";
  parameters["inner"] = inner;
  parameters["shuffle"] = prepared.shuffle;
  parameters["seed"] = prepared.seed;
  return spec;
}

}  // namespace shardlens::sampling
