# SPDX-License-Identifier: Apache-2.0
# Shared by ./app/run, ./app/install, ./tests/run, ./tests/bench and .ci/run: packages, configure, build. Sourced, never run.
# Everything it says goes to stderr: stdout belongs to the program that is started.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export PATH="$PATH:/usr/sbin:/sbin"

say() { printf '%s\n' "$*" >&2; }

# install_packages GROUP...: installs what is missing of the named groups of resources/scripts/packages.
install_packages() {
  command -v dpkg-query >/dev/null || { say "This is not a Debian system: install what resources/scripts/packages lists by other means."; return 0; }
  local wanted missing known
  wanted=$(awk -v groups=" $* " '!/^#/ && index(groups, " " $1 " ") { print $2 }' "$root/resources/scripts/packages" | sort -u)
  # shellcheck disable=SC2086
  known=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null | awk '$1 == "ii" { print $2 }' | sort -u)
  missing=$(comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$known"))
  [[ -z $missing ]] && return 0
  local as_root=()
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || { say "These packages are missing and neither root nor sudo is at hand:" $missing; return 3; }
    as_root=(sudo)
  fi
  say "Installing with apt-get:" $missing
  # shellcheck disable=SC2086
  if ! { "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $missing; } >&2; then
    say "apt-get could not install them. Mend the package sources and run this again."
    return 3
  fi
}

# build PRESET TARGET...: configures where that is needed (ninja does it again when a CMake file changes) and builds.
# `without="GUI MPI TESTS" build ...` needs none of these parts: a new folder does without them, an older one keeps what it has.
build() {
  local preset=$1
  shift
  local dir=$root/build/$preset
  mkdir -p "$dir"
  # Two builds of one folder would write over each other's files.
  {
    flock -n 9 || { say "Another build of build/$preset is under way: waiting for it ..."; flock 9; }
    configure "$preset" 9>&- && build_targets "$dir" "$@"
  } 9>"$dir/.lock"
}

# configure PRESET: configures a folder that is new, or that so far does without a part that is needed now. What it has, it keeps:
# one folder serves the verbs, the window and the tests, and none compiles again what another one did.
configure() {
  local preset=$1 dir=$root/build/$1 had="GUI;MPI;TESTS" left="" part log
  if [[ -f $dir/build.ninja ]]; then had=$(sed -n 's/^SHARDLENS_WITHOUT:STRING=//p' "$dir/CMakeCache.txt"); fi
  for part in ${had//;/ }; do
    if [[ " ${without:-} " == *" $part "* ]]; then left+=${left:+;}$part; fi
  done
  if [[ -f $dir/build.ninja && $left == "$had" ]]; then return 0; fi
  say "Configuring build/$preset ..."
  log=$dir/configure.log
  (cd "$root" && cmake --preset "$preset" -D "SHARDLENS_WITHOUT=$left") >"$log" 2>&1 && return 0
  cat "$log" >&2
  # CMake has noted what it was asked for, although it failed: what the folder could build, it still can.
  if [[ -f $dir/build.ninja ]]; then sed -i "s/^SHARDLENS_WITHOUT:STRING=.*/SHARDLENS_WITHOUT:STRING=$had/" "$dir/CMakeCache.txt"; fi
  return 1
}

# build_targets FOLDER TARGET...: says how far it is, on a terminal and off it; says nothing where nothing is to do.
build_targets() {
  local dir=$1 log
  shift
  if [[ $(ninja -C "$dir" -n "$@" 2>/dev/null | tail -n 1) == *"no work to do"* ]]; then return 0; fi
  say "Building $* ..."
  if [[ -t 2 ]]; then
    ninja -C "$dir" "$@" >&2 9>&-
    return
  fi
  log=$(mktemp)
  NINJA_STATUS='[%f/%t] ' ninja -C "$dir" "$@" 2>&1 9>&- | tee "$log" | progress_lines || { cat "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

# progress_lines: reads ninja's "[done/all] ..." lines and says one line for every tenth that is done.
progress_lines() {
  awk '/^\[[0-9]+\/[0-9]+\]/ {
    split(substr($1, 2), part, /[\/\]]/)
    tenth = int(10 * part[1] / part[2])
    if (tenth > said) { said = tenth; printf "  %3d %% (%d of %d steps)\n", 10 * tenth, part[1], part[2]; fflush() }
  }' >&2
}
