import { type Command, InvalidArgumentError } from "commander";
import { collect } from "../terminal/option-parsers.ts";

/** Adds the option that names packages whose install scripts may run. */
export function addScriptsOption(command: Command): Command {
  return command.option(
    "--allow-scripts <package>",
    "let this npm package run its install scripts; kept in the entry; repeatable",
    packageName,
    [],
  );
}

function packageName(text: string, previous: readonly string[]): string[] {
  if (/^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(text)) return collect(text, previous);
  throw new InvalidArgumentError("expected the name of an npm package, without a version.");
}
