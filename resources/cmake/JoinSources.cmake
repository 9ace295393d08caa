# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=joined.cpp -DSOURCES=a.cpp,b.cpp -P JoinSources.cmake: writes one source that compiles all of SOURCES.
# First come their headers, which all of them then share; then each source in a namespace of its own, so that two may use one name.
# What a source includes in there is included already, and adds nothing; a moc file is part of its source, and stays where it is.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(headers)
set(bodies)
set(number 0)
cmake_path(GET OUT STEM name)
foreach(source IN LISTS SOURCES)
  file(STRINGS "${source}" lines REGEX "^#include ")
  list(FILTER lines EXCLUDE REGEX "\\.moc\"")
  list(APPEND headers ${lines})
  math(EXPR number "${number} + 1")
  string(APPEND bodies "namespace ${name}_${number} {\n#include \"${source}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(CONFIGURE OUTPUT "${OUT}" CONTENT "${headers}\n${bodies}" @ONLY)
file(TOUCH "${OUT}")
