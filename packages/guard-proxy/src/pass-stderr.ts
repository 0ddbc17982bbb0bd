import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { replaceInvisible } from "@agentprint/canonical-json/text";
import type { ProxyOutput } from "./proxy-output.ts";

const KEPT = new Set(["\n", "\r", "\t"]);
/** The ends of a wait for room: if the reader is gone, writes are lost, and no server is kept waiting. */
const ROOM = ["drain", "close", "error"];

/** The waits for room in outputs, each shared by all servers that write to the output. */
const waits = new WeakMap<Writable, Promise<void>>();

/**
 * Passes on a server's standard error: byte for byte to a file or a pipe, and with control characters escaped to a
 * terminal, which would obey them. While nobody reads the output, the server's standard error is not read either.
 */
export function passStderr({ stderr }: Pick<ProxyOutput, "stderr">, from: Readable): void {
  const write = (text: Uint8Array | string): void => {
    if (stderr.write(text) || !stderr.writableNeedDrain) return;
    from.pause();
    void room(stderr).then(() => from.resume());
  };
  if (stderr.isTTY !== true) {
    from.on("data", write);
    return;
  }
  const decoder = new StringDecoder("utf8");
  from.on("data", (chunk: Uint8Array) => write(shown(decoder.write(Buffer.from(chunk)))));
  from.on("end", () => stderr.write(shown(decoder.end())));
}

function room(output: Writable): Promise<void> {
  const wait = waits.get(output) ?? waitForRoom(output);
  waits.set(output, wait);
  return wait;
}

function waitForRoom(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      waits.delete(output);
      for (const event of ROOM) output.off(event, done);
      resolve();
    };
    for (const event of ROOM) output.on(event, done);
  });
}

function shown(text: string): string {
  return replaceInvisible(text, (character) =>
    KEPT.has(character) ? character : `\\u{${Number(character.codePointAt(0)).toString(16)}}`,
  );
}
