import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { replaceInvisible } from "@agentprint/canonical-json/text";
import type { ProxyOutput } from "./proxy-output.ts";

const KEPT = new Set(["\n", "\r", "\t"]);

/**
 * Passes on a server's standard error: byte for byte to a file or a pipe, and with control characters escaped to a
 * terminal, which would obey them.
 */
export function passStderr({ stderr }: Pick<ProxyOutput, "stderr">, from: Readable): void {
  if (stderr.isTTY !== true) {
    from.on("data", (chunk: Uint8Array) => stderr.write(chunk));
    return;
  }
  const decoder = new StringDecoder("utf8");
  from.on("data", (chunk: Uint8Array) => stderr.write(shown(decoder.write(Buffer.from(chunk)))));
  from.on("end", () => stderr.write(shown(decoder.end())));
}

function shown(text: string): string {
  return replaceInvisible(text, (character) =>
    KEPT.has(character) ? character : `\\u{${Number(character.codePointAt(0)).toString(16)}}`,
  );
}
