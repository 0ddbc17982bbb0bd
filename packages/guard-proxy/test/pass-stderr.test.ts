import { PassThrough, Readable, Writable } from "node:stream";
import { createSecretReplacer } from "@agentprint/mcp-visit/secrets";
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

test("while nobody reads it, the standard error of no server is read, and nothing is lost afterwards", async () => {
  const taken: Buffer[] = [];
  let isRead = false;
  let goOn = (): void => undefined;
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      taken.push(chunk);
      if (isRead) done();
      else goOn = done;
    },
  });
  const MANY = 20;
  const CHUNKS = 40;
  const servers = Array.from({ length: MANY }, (_, server) => {
    let count = 0;
    return new Readable({
      read() {
        this.push(count++ < CHUNKS ? Buffer.alloc(16 * 1024, 65 + server) : null);
      },
    });
  });
  for (const server of servers) passStderr({ stderr }, server);
  await expect.poll(() => servers.every((server) => server.isPaused())).toBe(true);
  expect(stderr.writableLength).toBeLessThan(1024 * 1024);
  expect(stderr.listenerCount("drain")).toBe(1);

  isRead = true;
  goOn();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.on("end", resolve))));
  await new Promise((resolve) => stderr.end(resolve));
  expect(Buffer.concat(taken)).toHaveLength(MANY * CHUNKS * 16 * 1024);
});

test("a reader that is gone keeps no server waiting", async () => {
  const stderr = new Writable({ write: () => undefined });
  const from = new Readable({ read: () => undefined });
  passStderr({ stderr }, from);
  from.push(Buffer.alloc(64 * 1024));
  await expect.poll(() => from.isPaused()).toBe(true);
  stderr.destroy();
  from.push(Buffer.alloc(64 * 1024));
  from.push(null);
  stderr.on("error", () => undefined);
  await new Promise((resolve) => from.on("end", resolve));
});

test.each([false, true])("a hidden value in pieces is replaced, to a terminal: %s", async (isTTY) => {
  const { stream } = createSecretReplacer([{ name: "API_KEY", value: "sekret-ünd-0123456789" }]);
  const written: Buffer[] = [];
  const stderr = Object.assign(
    new Writable({
      write: (chunk, _encoding, done) => {
        written.push(chunk);
        done();
      },
    }),
    { isTTY },
  );
  const text = () => Buffer.concat(written).toString();
  const from = new Readable({ read: () => undefined });
  passStderr({ stderr, secrets: stream }, from);
  const say = (said: string): void => {
    for (const byte of Buffer.from(said)) from.push(Buffer.of(byte));
  };
  say("key=sekret-ünd-0123456789 é\n");
  // The held back characters are passed on although nothing follows them.
  await expect.poll(text).toBe("key=‹value of API_KEY› é\n");
  say(`${"x".repeat(3000)}sekret-ünd-0123456789`);
  from.push(null);
  await new Promise((resolve) => from.on("end", resolve));
  await expect.poll(text).toBe(`key=‹value of API_KEY› é\n${"x".repeat(3000)}‹value of API_KEY›`);
});
