import { open } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import type { InputContext } from "../context.ts";
import { CliError, reasonOf } from "../errors.ts";

/** The name shown for input that came from standard input. */
export const STDIN_NAME = "standard input";

/**
 * Reads a file, or standard input for `-`, and refuses more than `maxBytes` without reading on; `option` is the one that
 * raises the limit, where there is one.
 */
export async function readInput(
  context: InputContext,
  file: string,
  maxBytes: number,
  option?: string,
): Promise<Uint8Array> {
  if (file === "-") return collect(readStdin(context), STDIN_NAME, maxBytes, option);
  try {
    const handle = await open(context.pathOf(file), "r");
    return await collect(handle.createReadStream(), file, maxBytes, option);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError("unreadable-input", `cannot read ${file}: ${reasonOf(error)}`, {
      expected: "a readable file, or - for standard input",
      cause: error,
    });
  }
}

/** The bytes of standard input, until it ends or the run is ended. */
export function readStdin({ stdin, signal }: InputContext): AsyncIterable<Uint8Array> {
  return signal === undefined ? stdin : addAbortSignal(signal, stdin);
}

async function collect(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes: number,
  option: string | undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
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
