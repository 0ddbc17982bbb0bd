/** The colours of a diagram; each ink has a contrast of at least 4.5 with the paper and the panel. */
export interface Theme {
  readonly paper: string;
  readonly panel: string;
  readonly edge: string;
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
  readonly red: string;
  readonly green: string;
}

/** The two themes, which the playground and the registry's pages also have. */
export const THEMES: Readonly<Record<"light" | "dark", Theme>> = {
  light: {
    paper: "#ffffff",
    panel: "#f5f6f8",
    edge: "#d2d8df",
    ink: "#191d22",
    soft: "#58626e",
    accent: "#0b57d0",
    red: "#a31414",
    green: "#1a612f",
  },
  dark: {
    paper: "#14171b",
    panel: "#1d2228",
    edge: "#39414a",
    ink: "#e5e8ec",
    soft: "#a4aeba",
    accent: "#8bb5f8",
    red: "#ff9c95",
    green: "#87d69c",
  },
};

type Ink = "accent" | "green" | "ink" | "red" | "soft";

/** A rectangle with a title and lines below it; positions and sizes are in pixels. */
interface Box {
  readonly at: readonly [x: number, y: number];
  readonly size: readonly [width: number, height: number];
  readonly title: string;
  readonly lines?: readonly string[];
  /** The colour of the border and the title. */
  readonly ink?: Ink;
  /** Whether the lines are code. */
  readonly isCode?: boolean;
}

/** An arrow from one point to another, with text above its middle. */
interface Arrow {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly label?: string;
  readonly isDashed?: boolean;
}

/** Text at a position, without a box. */
interface Words {
  readonly at: readonly [x: number, y: number];
  readonly text: string;
  readonly ink?: Ink;
}

/** A diagram, 720 pixels wide. */
export interface Diagram {
  readonly title: string;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows?: readonly Arrow[];
  readonly words?: readonly Words[];
}

const WIDTH = 720;
const LINE = 18;
const CODE = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

/** Returns a diagram as SVG. */
export function drawDiagram({ title, height, boxes, arrows = [], words = [] }: Diagram, theme: Theme): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeXml(title)}" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="${theme.soft}"/></marker></defs>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="${theme.paper}" stroke="${theme.edge}"/>`,
    `<g font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="${theme.ink}">`,
    ...arrows.flatMap((arrow) => drawArrow(arrow, theme)),
    ...boxes.flatMap((box) => drawBox(box, theme)),
    ...words.map(({ at: [x, y], text, ink = "soft" }) => drawText(x, y, text, `fill="${theme[ink]}"`)),
    "</g>",
    "</svg>\n",
  ].join("\n");
}

function drawBox({ at: [x, y], size: [width, height], title, lines = [], ink, isCode }: Box, theme: Theme): string[] {
  const stroke = ink === undefined ? theme.edge : theme[ink];
  const style = `fill="${theme.soft}"${isCode === true ? ` font-family="${CODE}" font-size="12" xml:space="preserve"` : ""}`;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${theme.panel}" stroke="${stroke}"/>`,
    drawText(x + 12, y + 22, title, `font-weight="600" fill="${theme[ink ?? "ink"]}"`),
    ...lines.map((line, index) => drawText(x + 12, y + 22 + (index + 1) * LINE, line, style)),
  ];
}

function drawArrow({ from: [x1, y1], to: [x2, y2], label, isDashed }: Arrow, theme: Theme): string[] {
  const dashes = isDashed === true ? ' stroke-dasharray="4 4"' : "";
  const line = `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${theme.soft}"${dashes} marker-end="url(#tip)"/>`;
  if (label === undefined) return [line];
  const isUpright = x1 === x2;
  const [x, y] = isUpright ? [x1 + 8, (y1 + y2) / 2 + 4] : [(x1 + x2) / 2, (y1 + y2) / 2 - 7];
  const anchor = isUpright ? "" : ' text-anchor="middle"';
  return [line, drawText(x, y, label, `font-size="12" fill="${theme.soft}"${anchor}`)];
}

function drawText(x: number, y: number, text: string, style: string): string {
  return `<text x="${x}" y="${y}" ${style}>${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
