// SPDX-License-Identifier: Apache-2.0
// Colours and small pieces of drawing. Colour has one meaning each: a rank's hue, or a place in the dataset.
const kLooks = {
  light: { panel: '#ffffff', raised: '#f7f8fa', line: '#dde1e7', text: '#1b2430', muted: '#5d6778', accent: '#2457c5', empty: '#e9ecf2', undealt: '#c3cad5',
    duplicate: '#cc3311', padding: '#7c8798', error: '#c4320a', warning: '#b54708', info: '#7c8798', fine: '#157f5b', from: 0, to: 0.92,
    ranks: ['#332288', '#e69f00', '#44aa99', '#882255', '#88ccee', '#228833', '#aa4499', '#ddcc77'] },
  dark: { panel: '#1b1f26', raised: '#22272f', line: '#2c323c', text: '#e6e9ee', muted: '#a3adbd', accent: '#7aa2f7', empty: '#333a46', undealt: '#3a424f',
    duplicate: '#ff8066', padding: '#7c8798', error: '#f97066', warning: '#f0a35e', info: '#6b7688', fine: '#4cc38a', from: 0.16, to: 1,
    ranks: ['#7e8edf', '#ecb740', '#80ccc4', '#d17585', '#b8e7ff', '#228833', '#aa4499', '#f1e29a'] },
};
// Nine anchors of viridis (public domain data).
const kViridis = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const hex = (c) => '#' + c.map((v) => Math.round(Math.min(255, Math.max(0, v))).toString(16).padStart(2, '0')).join('');
const mix = (over, under, opacity) => hex(rgb(over).map((v, i) => v * opacity + rgb(under)[i] * (1 - opacity)));
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const easeOut = (t) => 1 - Math.pow(1 - clamp(t, 0, 1), 3);
const easeInOut = (t) => { t = clamp(t, 0, 1); return t < 0.5 ? 4 * t * t * t : 1 - Math.pow(2 - 2 * t, 3) / 2; };
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
const counted = (n, noun) => grouped(n) + ' ' + noun + (n === 1 ? '' : noun.endsWith('ch') ? 'es' : 's');

function luminance(colour) {
  const [r, g, b] = rgb(colour).map((v) => v / 255).map((c) => (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4)));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const a = luminance(one), b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// The theme in use: look.place[0..255], look.rank(r), look.edge(colour), look.ink(colour).
const look = { dark: false, place: [], edges: new Map() };
function useLook(dark) {
  Object.assign(look, kLooks[dark ? 'dark' : 'light'], { dark });
  look.edges = new Map();
  look.place = Array.from({ length: 256 }, (_, i) => {
    const at = (look.from + (look.to - look.from) * i / 255) * 8, low = Math.min(7, Math.floor(at));
    return mix(kViridis[low + 1], kViridis[low], at - low);
  });
  look.rank = (rank) => {
    if (film.ranks <= 8) return look.ranks[rank];
    const full = look.ranks[Math.floor(rank / film.perNode) % 8];
    return rank % film.perNode % 2 === 0 ? full : mix(full, look.panel, 0.58);
  };
  // The fill's own hue, moved away from the panel until it can be told from it.
  look.edge = (fill) => {
    if (!look.edges.has(fill)) {
      let edge = fill;
      for (let i = 0; i < 40 && contrast(edge, look.panel) < 3; ++i) edge = mix(dark ? '#ffffff' : '#000000', edge, 0.05);
      look.edges.set(fill, edge);
    }
    return look.edges.get(fill);
  };
  look.ink = (fill) => (contrast('#ffffff', fill) >= 4.5 || contrast('#ffffff', fill) > contrast('#000000', fill) ? '#ffffff' : '#1b2430');
  look.mark = (fill) => (contrast('#ffffff', fill) >= 3 ? '#ffffff' : '#000000');
}

// Browsers of 2022 and before draw corners that are not round.
for (const path of [Path2D.prototype, CanvasRenderingContext2D.prototype]) path.roundRect ??= path.rect;

function box(c, x, y, w, h, radius) {
  c.beginPath();
  if (radius > 0) c.roundRect(x, y, w, h, Math.min(radius, w / 2, h / 2));
  else c.rect(x, y, w, h);
}
function fillBox(c, x, y, w, h, radius, fill, stroke, width = 1) {
  box(c, x, y, w, h, radius);
  if (fill) { c.fillStyle = fill; c.fill(); }
  if (stroke) { c.strokeStyle = stroke; c.lineWidth = width; c.stroke(); }
}
// 45 degrees, 5 px apart, within the box.
function hatch(c, x, y, w, h, colour) {
  c.save();
  box(c, x, y, w, h, 3);
  c.clip();
  c.strokeStyle = colour;
  c.lineWidth = 1.2;
  c.beginPath();
  for (let d = -h; d < w; d += 5) { c.moveTo(x + d, y + h); c.lineTo(x + d + h, y); }
  c.stroke();
  c.restore();
}
// What never comes.
function cross(c, x, y, size) {
  const s = size / 2;
  c.strokeStyle = '#d55e00';
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(x - s, y - s); c.lineTo(x + s, y + s); c.moveTo(x + s, y - s); c.lineTo(x - s, y + s);
  c.stroke();
}
function write(c, text, x, y, colour, size = 11, align = 'left', weight = 400) {
  c.font = `${weight} ${size}px Inter, system-ui, "Segoe UI", Roboto, Arial, sans-serif`;
  c.textAlign = align;
  c.textBaseline = 'middle';
  c.fillStyle = colour;
  c.fillText(text, x, y);
}
