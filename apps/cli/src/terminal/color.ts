import pc from "picocolors";
import type { Context, Output } from "../context.ts";

/** The colour functions of an output. */
export type Colors = ReturnType<typeof pc.createColors>;

/**
 * Whether an output gets colour: never with `--no-color` or `NO_COLOR`, always with `FORCE_COLOR` (other than `0`),
 * otherwise only on a terminal.
 */
export function hasColor({ args, env }: Pick<Context, "args" | "env">, output: Output): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR || args.includes("--no-color")) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0";
  return output.isTTY === true && TERM !== "dumb";
}

/** The colour functions for an output; they return their input unchanged where there is no colour. */
export function colorsFor(context: Pick<Context, "args" | "env">, output: Output): Colors {
  return pc.createColors(hasColor(context, output));
}
