#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# newer_torch.sh SHARDLENS: the probe under torch 2.6, whose programs run in a root of Debian 13; what it recorded is captured here. That torch
# has no torchrun, so the ranks are started one by one. Exits 77 where there is no such torch.
set -euo pipefail
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d)
# Bound until the end, so that nobody else is given it.
coproc held { PYTHONPATH=$here/../../support exec python3 -Bc 'import sys, torch_jobs; print(torch_jobs.free_port(), flush=True); sys.stdin.read()'; }
read -r port <&"${held[0]}"
trap 'rm -rf "$folder"' EXIT
cp -r "$(dirname "$program")/probe" "$here/job.py" "$folder"
cat >"$folder/go.sh" <<'END'
set -eu
export OMP_NUM_THREADS=1 USE_LIBUV=0 WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$1
here=$PWD
ranks() {  # KIND WORKERS FOLDER
  mkdir -p "$3"
  for rank in 0 1; do
    SAID=$3 RANK=$rank LOCAL_RANK=$rank python3 job.py "$1:$2" &
  done
  wait
}
watched() {
  mkdir -p "$here/$1.slrun"
  SHARDLENS_PROBE=$here/$1.slrun PYTHONPATH=$here/probe ranks "$1" "$2" "said-$1"
}
watched ddp 0
ranks ddp 0 alone
cmp said-ddp/0.json alone/0.json
cmp said-ddp/1.json alone/1.json
watched persistent 2
watched random 0
watched weighted 0
watched mine_seeded 0
watched growing 2
END
chmod 755 "$folder"
"$here/../../../resources/scripts/newer-torch" "$folder" bash go.sh "$port"
for kind in ddp persistent weighted mine_seeded growing; do
  "$program" capture "$folder/$kind.slrun" || { printf 'FAILED: %s\n' "$kind"; exit 1; }
done
said=$("$program" capture "$folder/random.slrun") || [[ $? == 1 ]]  # 1: not proven
grep 'Every batch is what torch.RandomSampler gives for the seed that it drew' <<<"$said"
said=$("$program" capture "$folder/mine_seeded.slrun")
grep 'are those that torch.DistributedSampler with seed: 3 deals, in the same batches' <<<"$said"
grep "NumPy's global generator when pass 0 began: seed 7 on ranks 0 and 1, nothing drawn" <<<"$said"
