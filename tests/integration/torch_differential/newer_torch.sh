#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# newer_torch.sh PROGRAM SCRIPT [ARGUMENTS...]: runs SCRIPT, one of the Python files beside this one, with torch 2.6 and
# PROGRAM. The program takes the libraries that it was linked with along. Exits 77 where there is no such torch.
set -euo pipefail
program=$(realpath "$1")
script=$2
shift 2
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/lib"
cp "$here"/*.py "$folder"
cp "$program" "$folder/program"
# Of the C library there the newer one serves: it is one with the loader.
ldd "$program" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|librt|libpthread|libresolv)\.so/ {print $3}' |
  xargs -r cp -L -t "$folder/lib"
printf '#!/bin/sh\nLD_LIBRARY_PATH=/mnt/folder/lib exec /mnt/folder/program "$@"\n' >"$folder/shardlens"
chmod +x "$folder/shardlens"
"$here/../../../resources/scripts/newer-torch" "$folder" python3 "$script" /mnt/folder/shardlens "$@"
