import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { passStderr } from "../src/pass-stderr.ts";

const SAID = Buffer.from("\u001b[2Jcleared\ttext\r\n\u202e héllo \u0007");

async function written(isTTY: boolean): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const from = new Readable({ read: () => undefined });
  passStderr({ stderr }, from);
  // A character may be split anywhere.
  for (const byte of SAID) from.push(Buffer.of(byte));
  from.push(null);
  await new Promise((resolve) => from.on("end", resolve));
  return Buffer.concat(stderr.readableLength > 0 ? [stderr.read() as Buffer] : []).toString();
}

test("standard error of a server is passed byte for byte into a file or a pipe", async () => {
  expect(await written(false)).toBe(SAID.toString());
});

test("on a terminal, its escapes are displayed and not executed", async () => {
  expect(await written(true)).toBe("\\u{1b}[2Jcleared\ttext\r\n\\u{202e} héllo \\u{7}");
});
