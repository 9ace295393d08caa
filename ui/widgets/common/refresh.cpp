// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/refresh.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <deque>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr qint64 kTurnMs = 2;  ///< layout and painting of what was refreshed come in the same frame

/// Who is to be refreshed, in the order of the wishes.
class Queue {
 public:
  Queue() {
    QObject::connect(&turn_, &QTimer::timeout, &turn_, [this] { work(); });
  }

  void add(Refresh* refresh) {
    waiting_.push_back(refresh);
    turn_.start(0);  // after the events that wait already
  }
  void remove(Refresh* refresh) { std::erase(waiting_, refresh); }
  [[nodiscard]] bool isEmpty() const { return waiting_.empty(); }

 private:
  void work() {
    QElapsedTimer timer;
    timer.start();
    while (!waiting_.empty() && timer.elapsed() < kTurnMs) {
      Refresh* next = waiting_.front();
      waiting_.pop_front();
      next->now();
    }
    if (waiting_.empty()) turn_.stop();
  }

  std::deque<Refresh*> waiting_;
  QTimer turn_;
};

/// Never destroyed: its timer would outlive the program's event loop.
Queue& queue() {
  static auto& one = *new Queue;
  return one;
}

}  // namespace

Refresh::Refresh(QWidget* widget, std::function<void()> make)
    : QObject(widget), widget_(widget), make_(std::move(make)) {
  widget->installEventFilter(this);
}

Refresh::~Refresh() {
  if (stale_) queue().remove(this);
}

void Refresh::want() {
  if (stale_) return;
  stale_ = true;
  if (widget_->isVisible()) queue().add(this);
}

void Refresh::now() {
  if (!std::exchange(stale_, false)) return;
  queue().remove(this);
  make_();
}

bool Refresh::allDone() {
  return queue().isEmpty();
}

/// A widget that comes into sight shows from its first picture on what is so; one that goes keeps nobody waiting.
bool Refresh::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show) now();
  if (event->type() == QEvent::Hide && stale_) queue().remove(this);
  return QObject::eventFilter(watched, event);
}

}  // namespace shardlens::ui

#include "moc_refresh.cpp"
