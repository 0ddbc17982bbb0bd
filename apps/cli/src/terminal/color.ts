import pc from "picocolors";

type Colors = ReturnType<typeof pc.createColors>;

/**
 * Whether a stream gets colour: never with `--no-color` or `NO_COLOR`, always with `FORCE_COLOR` (other than `0`),
 * otherwise only on a terminal.
 */
export function hasColor(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR || process.argv.includes("--no-color")) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0";
  return stream.isTTY === true && TERM !== "dumb";
}

/** The colour functions for a stream; they return their input unchanged where there is no colour. */
export function colorsFor(stream: { readonly isTTY?: boolean }): Colors {
  return pc.createColors(hasColor(stream));
}
