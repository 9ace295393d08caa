// SPDX-License-Identifier: Apache-2.0
#include "core/film/page.h"

#include "core/base/html.h"
#include "core/base/text.h"
#include "core/film/film.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNamed = 64;  ///< ranks and samples of a finding that the page marks

/// JSON that may stand in a script element: no character of it begins a tag or a comment.
std::string scriptJson(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : std::string(1, c);
  }
  return out;
}

std::vector<std::int64_t> firstOf(const std::vector<std::int64_t>& ids) {
  return {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), kMostNamed))};
}

Json whereJson(const Where& where) {
  Json json = Json::object();
  if (!where.ranks.empty()) json["ranks"] = firstOf(where.ranks);
  if (!where.samples.empty()) json["samples"] = firstOf(where.samples);
  if (where.epoch) json["epoch"] = *where.epoch;
  if (where.step) json["step"] = *where.step;
  return json;
}

Json findingsJson(const Film& film) {
  Json findings = Json::array();
  for (const Finding& finding : film.findings) {
    Json json = {
        {"code", finding.code},   {"severity", finding.is_proof ? "fine" : std::string(severityName(finding.severity))},
        {"title", finding.title}, {"message", finding.message},
        {"why", finding.why},     {"where", whereJson(finding.where)}};
    if (finding.fix() != nullptr) json["fix"] = finding.fix()->label;
    findings.push_back(std::move(json));
  }
  return findings;
}

std::string_view themeName(PageTheme theme) {
  return theme == PageTheme::Light ? "light" : theme == PageTheme::Dark ? "dark" : "auto";
}

Json headJson(const Film& film, const Packed& arrays, PageTheme theme) {
  Json json = {{"name", film.name},
               {"sentence", film.sentence},
               {"size", film.samples},
               {"ranks", film.ranks},
               {"perNode", film.ranks_per_node},
               {"firstRanks", film.first_ranks},
               {"allEpochs", film.all_epochs},
               {"hasIds", film.has_ids},
               {"hairsEach", film.hairs},
               {"parts", kFilmParts},
               {"theme", themeName(theme)},
               {"leftOut", film.left_out},
               {"epochs", Json::array()},
               {"findings", findingsJson(film)},
               {"arrays", Json::array()}};
  for (const FilmEpoch& epoch : film.epochs) {
    json["epochs"].push_back(
        {{"epoch", epoch.epoch}, {"steps", epoch.steps}, {"allSteps", epoch.all_steps}, {"moments", epoch.moments}});
  }
  for (const PackedArray& array : arrays.arrays) {
    json["arrays"].push_back(
        {{"name", array.name}, {"count", array.count}, {"width", array.width}, {"value", array.value}});
  }
  return json;
}

std::string fileText(std::string_view name) {
  const auto files = filmFiles();
  const auto file = std::ranges::find(files, name, &PageFile::name);
  return std::string(file->text);
}

std::string scripts() {
  std::string text;
  for (const PageFile& file : filmFiles()) {
    if (file.name.ends_with(".js")) text += file.text;
  }
  return text;
}

}  // namespace

std::string filmPage(const Film& film, PageTheme theme) {
  const Packed arrays = packed(film);
  const std::string name = oneLine(printable(film.name));
  const std::array<Filling, 8> fillings = {{
      {"@page@", pageHead({name, film.sentence, true, true})},
      {"@name@", htmlText(name)},
      {"@sentence@", htmlText(film.sentence)},
      {"@theme@", std::string(themeName(theme))},
      {"@style@", fileText("film.css")},
      {"@head@", scriptJson(headJson(film, arrays, theme))},
      {"@data@", base64(arrays.bytes)},
      {"@script@", scripts()},
  }};
  return filledPage(fileText("film.html"), fillings);
}

}  // namespace shardlens
