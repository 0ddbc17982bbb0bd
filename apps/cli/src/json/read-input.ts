import { open } from "node:fs/promises";
import { CliError, reasonOf } from "../errors.ts";

/** The name shown for input that came from standard input. */
export const STDIN_NAME = "standard input";

/**
 * Reads a file, or standard input for `-`, and refuses more than `maxBytes` without reading on; `option` is the one that
 * raises the limit, where there is one.
 */
export async function readInput(file: string, maxBytes: number, option?: string): Promise<Uint8Array> {
  if (file === "-") return collect(process.stdin, STDIN_NAME, maxBytes, option);
  try {
    const handle = await open(file, "r");
    return await collect(handle.createReadStream(), file, maxBytes, option);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError("unreadable-input", `cannot read ${file}: ${reasonOf(error)}`, {
      expected: "a readable file, or - for standard input",
      cause: error,
    });
  }
}

async function collect(
  stream: AsyncIterable<Buffer>,
  name: string,
  maxBytes: number,
  option: string | undefined,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new CliError("too-large", `${name} is longer than ${maxBytes} bytes`, {
        expected: `at most ${maxBytes} bytes`,
        fix: option && `raise the limit with ${option} <n>`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
