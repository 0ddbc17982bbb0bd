import { maxConfigBytes, type ParsedConfig, parseConfigBytes } from "@agentprint/client-configs";
import { readInput, readRegularFile } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";

/**
 * Reads a client's configuration.
 *
 * @param kind `any`: also a pipe or standard input, because the user named it; `regular`: only a regular file
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read
 * @throws {@link ClientConfigError} when the file is not in the client's format
 */
export async function readClientConfig(
  context: InputContext,
  file: string,
  kind: "any" | "regular",
): Promise<ParsedConfig> {
  const read = kind === "any" ? readInput : readRegularFile;
  return parseConfigBytes(await read(context, file, maxConfigBytes(file)), file);
}
