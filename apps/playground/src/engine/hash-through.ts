import type { HashTexts } from "./job.ts";

/** Hex digits of a digest. */
const DIGITS = 64;

/** Has texts hashed by the worker at the other end of a port, which answers in the order of the questions. */
export function hashThrough(port: MessagePort): HashTexts {
  const waiting: ((digests: string) => void)[] = [];
  port.onmessage = ({ data }: MessageEvent<string>) => waiting.shift()?.(data);
  return async (texts) => {
    // One text for all of them: a message costs little then, and the canonical text of a record has no line feed.
    port.postMessage(texts.join("\n"));
    const digests = await new Promise<string>((resolve) => waiting.push(resolve));
    return texts.map((_, index) => digests.slice(index * DIGITS, (index + 1) * DIGITS));
  };
}
