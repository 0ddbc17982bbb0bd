import type { ConfigFormat, ConfigNode } from "./config-node.ts";
import { ClientConfigError } from "./errors.ts";
import { invalidConfig, type ParsedConfig } from "./parsed-config.ts";

/**
 * The maximum length of a configuration, in bytes. Claude Code keeps its history in the file that lists its servers, so
 * the limit for JSON is high. The parsers of TOML and YAML need seconds for half a MiB that is crafted to be slow.
 */
const MAX_BYTES: Readonly<Record<ConfigFormat, number>> = {
  jsonc: 16 * 1024 * 1024,
  toml: 512 * 1024,
  yaml: 512 * 1024,
};

/** The maximum length of a configuration in any format, in bytes. */
export const MAX_CONFIG_BYTES: number = Math.max(...Object.values(MAX_BYTES));

const BYTE_ORDER_MARK = "\ufeff";

/** Returns the format of a configuration, which follows from the extension of its name. */
export function formatOf(file: string): ConfigFormat {
  if (/\.toml$/i.test(file)) return "toml";
  return /\.ya?ml$/i.test(file) ? "yaml" : "jsonc";
}

/** Returns the maximum length of a configuration file in bytes, which depends on the file's name. */
export function maxConfigBytes(file: string): number {
  return MAX_BYTES[formatOf(file)];
}

/**
 * Parses the bytes of a configuration in the format that its file name implies.
 *
 * @throws {@link ClientConfigError} when the bytes are not UTF-8, or their text is not in this format
 */
export async function parseConfigBytes(bytes: Uint8Array, file: string): Promise<ParsedConfig> {
  return parseConfig(decode(bytes, file), file);
}

/**
 * Parses the text of a configuration in the format that its file name implies.
 *
 * @throws {@link ClientConfigError} when the text is not in this format
 */
export async function parseConfig(written: string, file: string): Promise<ParsedConfig> {
  const format = formatOf(file);
  const hasMark = written.startsWith(BYTE_ORDER_MARK);
  const text = hasMark ? written.slice(1) : written;
  try {
    return { file, format, hasMark, text, root: await parseAs(format, text, file) };
  } catch (error) {
    // The parsers call themselves for each level, which can exhaust the stack.
    if (error instanceof RangeError) throw invalidConfig(file, "nested too deeply, or a text in it is too long");
    throw error;
  }
}

/** Returns the text of the file that a configuration was parsed from, or that it should become. */
export function textOfFile({ hasMark, text }: ParsedConfig): string {
  return hasMark ? BYTE_ORDER_MARK + text : text;
}

/** Parses a text. Each format's parser is loaded when it is first needed. */
async function parseAs(format: ConfigFormat, text: string, file: string): Promise<ConfigNode> {
  if (format === "toml") return (await import("./parse-toml.ts")).parseToml(text, file);
  if (format === "yaml") return (await import("./parse-yaml.ts")).parseYaml(text, file);
  return (await import("./parse-jsonc.ts")).parseJsonc(text, file);
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ClientConfigError(`${file} is not UTF-8`, { expected: "text in UTF-8", cause: error });
  }
}
