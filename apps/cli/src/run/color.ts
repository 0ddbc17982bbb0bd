import pc from "picocolors";

/** The words and variables that turn colour on or off. */
interface ColorSettings {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The part of an output that shows whether it is a terminal. */
interface MaybeTerminal {
  readonly isTTY?: boolean;
}

/** The colour functions of an output. */
export type Colors = ReturnType<typeof pc.createColors>;

const NO_COLOR_OPTION = "--no-color";

/** Returns whether a word of a command line is the option that turns colour off: not one of a server's command. */
function isColorOption(word: string, index: number, args: readonly string[]): boolean {
  return word === NO_COLOR_OPTION && !args.slice(0, index).includes("--");
}

/** Returns the words of a command line without the option that turns colour off, which may follow any command. */
export function withoutColorOption(args: readonly string[]): string[] {
  return args.filter((...word) => !isColorOption(...word));
}

/**
 * Returns whether an output gets colour: never with `--no-color` or `NO_COLOR`, always with `FORCE_COLOR` (other than
 * `0`), otherwise only on a terminal.
 */
export function hasColor({ args, env }: ColorSettings, output: MaybeTerminal): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR || args.some(isColorOption)) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0";
  return output.isTTY === true && TERM !== "dumb";
}

/** Returns the colour functions for an output; they return their input unchanged if there is no colour. */
export function colorsFor(settings: ColorSettings, output: MaybeTerminal): Colors {
  return pc.createColors(hasColor(settings, output));
}
