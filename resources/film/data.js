// SPDX-License-Identifier: Apache-2.0
// What the page shows: the head in JSON, the numbers in little-endian arrays. Read only.
const $ = (id) => document.getElementById(id);
const film = JSON.parse($('head').textContent);

function readArrays() {
  const text = atob($('data').textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const array of film.arrays) {
    const numbers = new Uint32Array(array.count);
    for (let i = 0; i < array.count; ++i) {
      numbers[i] = array.width === 0 ? array.value : array.width === 1 ? view.getUint8(at + i)
        : array.width === 2 ? view.getUint16(at + 2 * i, true) : view.getUint32(at + 4 * i, true);
    }
    at += array.width * array.count;
    film[array.name] = numbers;
  }
}

// Of each epoch: where its cells, steps, items and moments begin; what is handed out when n steps are dealt.
function countEpochs() {
  const at = { cell: 0, step: 0, moment: 0, item: 0 };
  film.largestBatch = 1;
  for (const epoch of film.epochs) {
    Object.assign(epoch, { cell: at.cell, moment: at.moment, seen: [0], handed: [0], repeated: [0], padded: [0], item: [] });
    for (let s = 0; s < epoch.steps; ++s) {
      let handed = 0, repeated = 0, padded = 0;
      for (let i = at.cell; i < at.cell + film.ranks; ++i) {
        if (film.hasIds) epoch.item.push(at.item);
        at.item += film.samples[i];
        handed += film.samples[i];
        repeated += film.duplicates[i];
        padded += film.padding[i];
        film.largestBatch = Math.max(film.largestBatch, film.samples[i]);
      }
      epoch.seen.push(epoch.seen[s] + film.fresh[at.step++]);
      epoch.handed.push(epoch.handed[s] + handed);
      epoch.repeated.push(epoch.repeated[s] + repeated);
      epoch.padded.push(epoch.padded[s] + padded);
      at.cell += film.ranks;
    }
    at.moment += epoch.moments;
  }
}
readArrays();
countEpochs();

const cellAt = (epoch, step, rank) => epoch.cell + step * film.ranks + rank;
// The samples of a batch: [{ id, padding, duplicate }]. Only where the film knows them.
function itemsOf(epoch, step, rank) {
  const from = epoch.item[step * film.ranks + rank], count = film.samples[cellAt(epoch, step, rank)];
  return Array.from({ length: count }, (_, k) => {
    const mark = film.marks[from + k];
    return { id: film.ids[from + k], padding: (mark & 1) > 0, duplicate: (mark & 2) > 0 };
  });
}
// Places 0..1 of the batch's hairs, each somewhere in its own bar of the strip.
function hairsOf(epoch, step, rank, most) {
  const i = cellAt(epoch, step, rank), each = film.hairsEach, count = Math.min(each, most, film.samples[i]);
  return Array.from({ length: count }, (_, k) => {
    const part = film.hairs[i * each + Math.floor((2 * k + 1) * each / (2 * count))];
    return (part + ((part * 7 + k * 5 + rank * 3) % 9 + 1) / 10) / film.parts;
  });
}
// How much of each part of the dataset is handed out when `dealt` steps are, 0..1. Exact at moments.
function coverageAt(epoch, dealt) {
  const shares = new Float32Array(film.parts);
  if (epoch.steps === 0) return shares;
  const place = dealt * epoch.moments / epoch.steps, m = Math.floor(place), way = place - m;
  const at = (moment, part) => (moment < 1 ? 0 : film.coverage[(epoch.moment + Math.min(moment, epoch.moments) - 1) * film.parts + part] / 65535);
  for (let p = 0; p < film.parts; ++p) shares[p] = at(m, p) * (1 - way) + at(m + 1, p) * way;
  return shares;
}
