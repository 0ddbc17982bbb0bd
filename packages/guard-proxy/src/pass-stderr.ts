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
 * How long a server has to be silent until the last characters are passed on that a hidden value may begin with, in
 * milliseconds.
 */
const QUIET = 50;

/**
 * Passes on a server's standard error: byte for byte to a file or a pipe, and with control characters escaped to a
 * terminal, which would obey them. Hidden values are replaced, even if they arrive in pieces. While nobody reads the
 * output, the server's standard error is not read either.
 */
export function passStderr({ stderr, secrets }: Pick<ProxyOutput, "stderr" | "secrets">, from: Readable): void {
  const write = (text: Uint8Array | string): void => {
    if (stderr.write(text) || !stderr.writableNeedDrain) return;
    from.pause();
    void room(stderr).then(() => from.resume());
  };
  const hidden = secrets?.();
  const isTerminal = stderr.isTTY === true;
  if (!isTerminal && hidden === undefined) {
    from.on("data", write);
    return;
  }
  const show = (text: string): void => {
    if (text !== "") write(isTerminal ? shown(text) : Buffer.from(text));
  };
  const decoder = new StringDecoder("utf8");
  let quiet: NodeJS.Timeout | undefined;
  from.on("data", (chunk: Uint8Array) => {
    const text = decoder.write(Buffer.from(chunk));
    show(hidden?.write(text) ?? text);
    clearTimeout(quiet);
    if (hidden) quiet = setTimeout(() => show(hidden.end()), QUIET);
  });
  from.on("end", () => {
    clearTimeout(quiet);
    const text = decoder.end();
    show(hidden ? hidden.write(text) + hidden.end() : text);
  });
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
