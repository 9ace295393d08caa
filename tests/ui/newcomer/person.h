// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace shardlens::test {

/// What a person does with a mouse and a keyboard. Under an X server that takes test input (Xvfb does) the server moves
/// its pointer and presses its keys, so that focus, grabs and windows on top are what they are for a person; elsewhere
/// Qt Test makes the events. Each call returns when the window has got them.
class Person {
 public:
  Person();
  ~Person();
  Person(const Person&) = delete;
  Person& operator=(const Person&) = delete;

  /// Whether the X server makes the events.
  [[nodiscard]] bool isReal() const;

  void click(QWidget* widget) { click(widget, widget->rect().center()); }
  void click(QWidget* widget, QPoint at);
  /// To whatever has the focus in the window of this widget.
  void press(QWidget& window, Qt::Key key, Qt::KeyboardModifiers with = {});
  /// ASCII, to whatever has the focus in the window of this widget.
  void type(QWidget& window, const QString& text);

 private:
  struct Server;
  Server* server_;
};

}  // namespace shardlens::test
