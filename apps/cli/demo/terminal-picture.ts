/** The colours of a picture; a terminal has names for the last four. */
interface Theme {
  readonly paper: string;
  readonly border: string;
  readonly ink: string;
  readonly dim: string;
  readonly red: string;
  readonly green: string;
  readonly cyan: string;
}

/** The themes, each with a contrast ratio of at least 4.5 between every ink and the paper. */
export const THEMES: Readonly<Record<"light" | "dark", Theme>> = {
  light: {
    paper: "#ffffff",
    border: "#d1d9e0",
    ink: "#1f2328",
    dim: "#59636e",
    red: "#cf222e",
    green: "#1a7f37",
    cyan: "#1b7c83",
  },
  dark: {
    paper: "#0d1117",
    border: "#3d444d",
    ink: "#f0f6fc",
    dim: "#9198a1",
    red: "#ff7b72",
    green: "#3fb950",
    cyan: "#39c5cf",
  },
};

/** The styles that escape sequences in an output set for the text after them. */
const STYLES: Readonly<Record<string, Partial<Style>>> = {
  "1": { isBold: true },
  "2": { ink: "dim" },
  "22": { isBold: false, ink: "ink" },
  "31": { ink: "red" },
  "32": { ink: "green" },
  "36": { ink: "cyan" },
  "39": { ink: "ink" },
};

interface Style {
  readonly isBold: boolean;
  readonly ink: "ink" | "dim" | "red" | "green" | "cyan";
}

interface Piece extends Style {
  readonly column: number;
  readonly text: string;
}

const FONT_PX = 14;
const COLUMN_PX = 8.4;
const ROW_PX = 21;
const MARGIN_PX = 16;

/** The animation of a picture; for readers who prefer reduced motion, all rows are visible from the start. */
const MOTION =
  "<style>@keyframes appear{from{opacity:0}}@media (prefers-reduced-motion:no-preference){.row{animation:appear .01s both}}</style>";
/** The delays before a row of output and before a row with a prompt, in seconds. */
const OUTPUT_S = 0.08;
const PROMPT_S = 0.8;
/** A row with a prompt, as in transcripts: a command, or a message to a server. */
const PROMPT = /^[$→] /;

/**
 * Returns an SVG of a terminal with `columns` columns that shows `output`: ASCII and arrows, in the styles of a report.
 *
 * @param isMoving Whether the rows appear one after the other for readers who allow motion
 */
export function terminalPicture(
  title: string,
  output: string,
  columns: number,
  theme: Theme,
  isMoving = false,
): string {
  const rows = rowsOf(output, columns);
  const width = Math.ceil(columns * COLUMN_PX) + 2 * MARGIN_PX;
  const height = rows.length * ROW_PX + 2 * MARGIN_PX;
  let seconds = 0;
  const lines = rows.flatMap((pieces, index) => {
    const y = MARGIN_PX + index * ROW_PX + FONT_PX;
    const texts = pieces.filter(({ text }) => text.trim() !== "").map((piece) => textOf(piece, y, theme));
    if (!isMoving || texts.length === 0) return texts;
    if (index > 0) seconds += PROMPT.test(pieces.map(({ text }) => text).join("")) ? PROMPT_S : OUTPUT_S;
    return [`<g class="row" style="animation-delay:${px(seconds)}s">`, ...texts, "</g>"];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeXml(title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>${isMoving ? MOTION : ""}
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.paper}" stroke="${theme.border}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace" font-size="${FONT_PX}">
${lines.join("\n")}
</g>
</svg>
`;
}

/** Returns the segments of equal style in each row; rows longer than the terminal are wrapped. */
function rowsOf(output: string, columns: number): Piece[][] {
  let style: Style = { isBold: false, ink: "ink" };
  return output.split("\n").flatMap((line) => {
    const rows: Piece[][] = [[]];
    let column = 0;
    for (const [index, part] of line.split("\u001b[").entries()) {
      const [, code, rest = part] = (index > 0 && /^(\d+)m(.*)$/.exec(part)) || [];
      if (index > 0 && STYLES[code ?? ""] === undefined) throw new Error(`no style for the escape sequence ${code}`);
      style = { ...style, ...STYLES[code ?? ""] };
      for (let text: string = rest; text !== ""; ) {
        if (column === columns) {
          rows.push([]);
          column = 0;
        }
        const fits = text.slice(0, columns - column);
        rows.at(-1)?.push({ ...style, column, text: fits });
        column += fits.length;
        text = text.slice(fits.length);
      }
    }
    return rows;
  });
}

/** `textLength` keeps the columns aligned, whatever monospaced font the reader has. */
function textOf({ column, text, isBold, ink }: Piece, y: number, theme: Theme): string {
  const indent = text.length - text.trimStart().length;
  const shown = text.trim();
  const x = px(MARGIN_PX + (column + indent) * COLUMN_PX);
  const weight = isBold ? ' font-weight="bold"' : "";
  return `<text x="${x}" y="${y}" textLength="${px(shown.length * COLUMN_PX)}" fill="${theme[ink]}"${weight} xml:space="preserve">${escapeXml(shown)}</text>`;
}

/** Writes a number with one digit after the decimal point, for pixels and seconds. */
const px = (length: number): string => String(Math.round(length * 10) / 10);

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
