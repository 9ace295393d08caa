// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/call_list.h"

#include "core/diagnose/run_state.h"
#include "core/diagnose/verdict_words.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"

namespace shardlens::ui {
namespace {

constexpr std::size_t kMostOwn = 6;      ///< of the job's own calls, the innermost ones
constexpr std::size_t kMostLibrary = 3;  ///< of the calls inside them

CallList listOf(const RunState& state, const RankStack& stack, const QString& head) {
  CallList list;
  list.head = head;
  list.note = phrase("run", "process %1, %2 ago")
                  .arg(QString::number(stack.pid), durationText(state.elapsed_ns - stack.taken_ns));
  for (const StackFrame& frame : stack.frames)
    list.rows.push_back(
        {text(frame.function), text(words::lineText(frame)), text(frame.code), text(frame.file), frame.is_own});
  return list;
}

QString workerHead(const RankStack& worker) {
  const QString number = QString::number(*worker.worker);
  if (!worker.sample) return phrase("run", "worker %1, which has the batch").arg(number);
  return phrase("run", "worker %1, which reads sample %2").arg(number, QString::number(*worker.sample));
}

}  // namespace

std::vector<CallList::Row> CallList::shortened() const {
  std::size_t inside = rows.size();  // the first call after the last own one
  while (inside > 0 && !rows[inside - 1].is_own) --inside;
  std::vector<Row> kept;
  for (std::size_t i = inside; i-- > 0 && kept.size() < kMostOwn;) {
    if (rows[i].is_own) kept.insert(kept.begin(), rows[i]);
  }
  const std::size_t left = rows.size() - inside;
  kept.insert(kept.end(), rows.end() - static_cast<std::ptrdiff_t>(std::min(left, kMostLibrary)), rows.end());
  return kept;
}

QString CallList::text() const {
  QString out = head + " (" + note + ")\n";
  for (const Row& row : rows) out += "  " + row.function + "  " + row.file + " " + row.place + "  " + row.code + '\n';
  return out;
}

std::vector<CallList> callLists(const RunState& state, const RankState& rank) {
  std::vector<CallList> lists;
  if (const RankStack* own = ownStack(rank)) {
    lists.push_back(listOf(state, *own,
                           own->sample ? phrase("run", "its calls, while it reads sample %1").arg(*own->sample)
                                       : phrase("run", "calls that have not returned")));
  }
  if (const RankStack* worker = owingStack(rank)) lists.push_back(listOf(state, *worker, workerHead(*worker)));
  return lists;
}

}  // namespace shardlens::ui
