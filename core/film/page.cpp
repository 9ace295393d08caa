// SPDX-License-Identifier: Apache-2.0
#include "core/film/page.h"

#include "core/film/base64.h"
#include "core/film/packed.h"
#include "core/film/page_files.h"

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

/// Text as HTML shows it, also within quotes.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

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
  const auto files = pageFiles();
  const auto file = std::ranges::find(files, name, &PageFile::name);
  return std::string(file->text);
}

std::string scripts() {
  std::string text;
  for (const PageFile& file : pageFiles()) {
    if (file.name.ends_with(".js")) text += file.text;
  }
  return text;
}

}  // namespace

std::string filmPage(const Film& film, PageTheme theme) {
  const Packed arrays = packed(film);
  // The scrambled text of an invalid name is mended as JSON mends it.
  const auto shown = [](const std::string& text) {
    return escaped(Json::parse(Json(text).dump(-1, ' ', true, Json::error_handler_t::replace)).get<std::string>());
  };
  const std::array<std::pair<std::string_view, std::string>, 7> fillings = {{
      {"@name@", shown(film.name)},
      {"@sentence@", shown(film.sentence)},
      {"@theme@", std::string(themeName(theme))},
      {"@style@", fileText("film.css")},
      {"@head@", scriptJson(headJson(film, arrays, theme))},
      {"@data@", base64(arrays.bytes)},
      {"@script@", scripts()},
  }};
  // In one pass: what is filled in is not looked at again.
  const std::string page = fileText("film.html");
  std::string out;
  for (std::size_t at = 0; at < page.size();) {
    const auto filling = std::ranges::find_if(
        fillings, [&](const auto& one) { return page.compare(at, one.first.size(), one.first) == 0; });
    out += filling == fillings.end() ? page.substr(at, 1) : filling->second;
    at += filling == fillings.end() ? 1 : filling->first.size();
  }
  return out;
}

}  // namespace shardlens
