import { CliError } from "../errors.ts";
import type { ConfigPath } from "./config-node.ts";
import { nodeAt, type ParsedConfig } from "./parsed-config.ts";
import { parseConfig } from "./read-client-config.ts";

/**
 * The configuration with another text at a path. Every byte outside of the old text stays as it is.
 *
 * @throws {@link CliError} `invalid-config` when there is no text at the path, or the format cannot write the new one
 */
export async function replaceText(config: ParsedConfig, path: ConfigPath, text: string): Promise<ParsedConfig> {
  const node = nodeAt(config, path);
  if (node?.kind !== "scalar" || typeof node.value !== "string") throw cannotEdit(config, path);
  const { start, end } = node;
  const old = config.text.slice(start, end);
  const edited = await parseConfig(
    `${config.text.slice(0, start)}${writeText(config, text, old)}${config.text.slice(end)}`,
    config.file,
  );
  const written = nodeAt(edited, path);
  if (written?.kind !== "scalar" || written.value !== text) throw cannotEdit(config, path);
  return { ...edited, hasMark: config.hasMark };
}

/** A text in the format of a configuration; one that YAML had without quotes gets none where it needs none. */
function writeText({ format }: ParsedConfig, text: string, old: string): string {
  if (format === "yaml" && /^[^"'|>]/.test(old) && /^[A-Za-z@/][\w@./=+-]*$/.test(text) && !text.startsWith("@"))
    return text;
  // JSON leaves characters as they are that TOML and YAML do not take.
  const escaped = JSON.stringify(text).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
  return format === "yaml" && old.endsWith("\n") ? `${escaped}\n` : escaped;
}

function cannotEdit({ file }: ParsedConfig, path: ConfigPath): CliError {
  return new CliError("invalid-config", `${file} cannot be edited at ${path.join(".")}`, {
    expected: "a text at this place",
    fix: "edit the file by hand",
  });
}
