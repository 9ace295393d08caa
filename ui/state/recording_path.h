// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace shardlens::ui {

/// What file dialogs show of recordings. They enter folders, so a recording is also chosen by a file in it.
QString recordingFilter();

/// The recording that is meant by a dropped, chosen or named path: the path itself, or the recording that a file
/// lies in. Empty when it is neither a folder nor called like a recording, nor begins as one.
QString recordingAt(const QString& path);

/// How a recording is called: by its file, or by its folder where the file is called as all are.
QString recordingName(const QString& path);

}  // namespace shardlens::ui
