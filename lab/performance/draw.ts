import type { Measured, Plot } from "./measure-line.ts";

/**
 * The colours of a picture; the lines use Okabe and Ito's palette, whose colours people with colour blindness can
 * distinguish.
 */
export interface Theme {
  readonly name: "light" | "dark";
  readonly background: string;
  readonly text: string;
  readonly grid: string;
  readonly lines: readonly string[];
}

export const THEMES: readonly Theme[] = [
  { name: "light", background: "#ffffff", text: "#1f2328", grid: "#d1d9e0", lines: ["#0072b2", "#d55e00", "#6e7781"] },
  { name: "dark", background: "#0d1117", text: "#f0f6fc", grid: "#3d444d", lines: ["#56b4e9", "#e69f00", "#9198a1"] },
];

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 64;
const RIGHT = 24;
const TOP = 84;
const BOTTOM = 76;

/** A logarithmic axis, which maps a value between two powers of ten to a position. */
interface Axis {
  readonly powers: readonly number[];
  place(value: number): number;
}

/**
 * Returns an SVG picture of measured lines with logarithmic axes.
 *
 * @param note - The machine and its load, which are written below the axes.
 */
export function drawPlot({ title, x, unit }: Plot, lines: readonly Measured[], note: string, theme: Theme): string {
  const points = lines.flatMap((line) => line.points);
  const across = axis(
    points.map(([size]) => size),
    LEFT,
    WIDTH - RIGHT,
  );
  const up = axis(
    points.map(([, nanoseconds]) => nanoseconds),
    HEIGHT - BOTTOM,
    TOP,
  );
  const label = `${title}: nanoseconds of processor time per ${unit}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeXml(label)}" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<title>${escapeXml(label)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${theme.background}"/>`,
    `<g font-family="ui-sans-serif, system-ui, sans-serif" font-size="12" fill="${theme.text}">`,
    text(LEFT, 24, label, 'font-size="14" font-weight="bold"'),
    ...across.powers.flatMap((value) => {
      const at = across.place(value);
      return [
        rule(at, TOP, at, HEIGHT - BOTTOM, theme),
        text(at, HEIGHT - BOTTOM + 18, short(value), 'text-anchor="middle"'),
      ];
    }),
    ...up.powers.flatMap((value) => {
      const at = up.place(value);
      return [rule(LEFT, at, WIDTH - RIGHT, at, theme), text(LEFT - 8, at + 4, short(value), 'text-anchor="end"')];
    }),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 38, x, 'text-anchor="middle"'),
    text(LEFT, HEIGHT - 14, note, 'font-size="10"'),
    ...lines.flatMap((line, index) => drawLine(line, index, theme.lines[index] as string, across, up)),
    "</g>",
    "</svg>\n",
  ].join("\n");
}

function drawLine({ name, points }: Measured, index: number, color: string, across: Axis, up: Axis): string[] {
  const places = points.map(([size, nanoseconds]) => `${round(across.place(size))},${round(up.place(nanoseconds))}`);
  const y = 44 + index * 14;
  return [
    `<polyline points="${places.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...places
      .map((place) => place.split(","))
      .map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`),
    `<rect x="${LEFT}" y="${y - 5}" width="14" height="3" fill="${color}"/>`,
    text(LEFT + 20, y, name),
  ];
}

function axis(values: readonly number[], from: number, to: number): Axis {
  const least = Math.floor(Math.log10(Math.min(...values)));
  const most = Math.max(Math.ceil(Math.log10(Math.max(...values))), least + 1);
  const powers = Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index));
  return { powers, place: (value) => from + ((Math.log10(value) - least) / (most - least)) * (to - from) };
}

/** Returns `10 M` for 10,000,000. */
function short(value: number): string {
  for (const [size, letter] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (value >= size) return `${value / size} ${letter}`;
  }
  return String(Number(value.toPrecision(2)));
}

function rule(x1: number, y1: number, x2: number, y2: number, theme: Theme): string {
  const [left, top, right, bottom] = [x1, y1, x2, y2].map(round);
  return `<line x1="${left}" y1="${top}" x2="${right}" y2="${bottom}" stroke="${theme.grid}"/>`;
}

function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${round(x)}" y="${round(y)}"${attributes && ` ${attributes}`}>${escapeXml(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
