// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

/// Which literals of a C++ source are texts that a person reads, and which of them go past the translation.
namespace source_texts {

/// A sentence, a name with a capital letter, or words.
bool isForReading(const QString& literal);
/// `before` ends with a call whose literals a program reads, or the literal is a command, a file format or code.
bool isForPrograms(const QString& before, const QString& literal);
/// `before` ends with a call that translates its literal.
bool isTranslated(const QString& before);
/// The literals of the source that are for reading and are not translated.
QStringList untranslatedIn(const QString& source);

}  // namespace source_texts
