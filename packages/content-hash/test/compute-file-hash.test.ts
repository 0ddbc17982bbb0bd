import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@agentprint/canonical-json";
import { computeTextHash, NORMALIZATION_LEVELS } from "@agentprint/content-hash";
import { computeFileHash, createFileContentHashService, createFileHasher } from "@agentprint/content-hash/node";
import { outputOf } from "@agentprint/testing/programs";
import { afterAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "content-hash-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("computeFileHash", () => {
  test.each(NORMALIZATION_LEVELS)("hashes a file as its text at level %s", async (level) => {
    const text = `\ufeffone \r\n${"\u{1f600}\u2028 \r\n\t".repeat(40_000)}end\n\n`;
    const path = file("text.txt", text);
    expect(await computeFileHash(path, { level })).toBe(computeTextHash(text, level));
  });

  test("takes level whitespace by default, and an empty file", async () => {
    expect(await computeFileHash(file("empty.txt", ""))).toBe(computeTextHash(""));
    const service = createFileContentHashService({ level: "eol" });
    expect(await service.computeFileHash(file("crlf.txt", "a\r\n"))).toBe(service.computeTextHash("a\n"));
    expect(await createFileContentHashService().computeFileHash(file("b.txt", " b "))).toBe(computeTextHash("b"));
  });

  test("follows a symbolic link, or refuses it", async () => {
    const target = file("target.txt", "a");
    const link = join(folder, "link.txt");
    symlinkSync(target, link);
    expect(await computeFileHash(link)).toBe(computeTextHash("a"));
    await expect(computeFileHash(link, { symlinks: "refuse" })).rejects.toMatchObject({ code: "SYMBOLIC_LINK" });
    expect(await computeFileHash(target, { symlinks: "refuse" })).toBe(computeTextHash("a"));
  });
});

describe("what is no text", () => {
  test.each([
    ["a NUL byte", Uint8Array.of(0x61, 0), 1],
    ["a NUL byte behind the first read", `${"x".repeat(200_000)}\0`, 200_000],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x61, 0x62), 0],
    ["Latin-1", Uint8Array.of(0x61, 0xe9, 0x20), 1],
    ["an end inside a character", Uint8Array.of(0x61, 0xe2, 0x82), 1],
  ])("%s is refused, except at level bytes", async (_name, content, offset) => {
    const path = file("binary", content);
    await expect(computeFileHash(path)).rejects.toMatchObject({ code: "BINARY_CONTENT", offset });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    expect(await computeFileHash(path, { level: "bytes" })).toBe(sha256Hex(bytes));
    const inPieces = (level?: "bytes") => {
      const hasher = createFileHasher("-", level);
      for (const cut of [bytes.subarray(0, 1), bytes.subarray(1)]) hasher.update(cut);
      return hasher.digest();
    };
    expect(() => inPieces()).toThrow(expect.objectContaining({ code: "BINARY_CONTENT", offset }));
    expect(inPieces("bytes")).toBe(sha256Hex(bytes));
  });
});

test("a piece of a file that is not bytes is refused", () => {
  for (const level of NORMALIZATION_LEVELS) {
    const { update } = createFileHasher("-", level);
    expect(() => update(1 as never)).toThrow(expect.objectContaining({ code: "INVALID_CONTENT" }));
  }
});

describe("a path that is not a file", () => {
  test("nothing", async () => {
    await expect(computeFileHash(join(folder, "nothing"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a path through a file", async () => {
    await expect(computeFileHash(join(file("a", "a"), "b"))).rejects.toMatchObject({ code: "READ_FAILED" });
  });

  test("a path that the system cannot take", async () => {
    await expect(computeFileHash("a\0b")).rejects.toMatchObject({ code: "READ_FAILED" });
  });

  test("a directory, at every level", async () => {
    for (const level of NORMALIZATION_LEVELS) {
      await expect(computeFileHash(folder, { level })).rejects.toMatchObject({
        code: "NOT_A_FILE",
        message: expect.stringContaining("directory"),
      });
    }
  });

  test("a FIFO without a writer, at once", async () => {
    const fifo = join(folder, "fifo");
    outputOf("mkfifo", [fifo]);
    await expect(computeFileHash(fifo)).rejects.toMatchObject({ message: expect.stringContaining("FIFO") });
  });

  test("a device", async () => {
    await expect(computeFileHash("/dev/zero")).rejects.toMatchObject({ message: expect.stringContaining("device") });
  });

  test("a socket", async () => {
    const path = join(folder, "socket");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await expect(computeFileHash(path)).rejects.toMatchObject({ message: expect.stringContaining("socket") });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("cancelling", () => {
  test("before the file is opened", async () => {
    const reason = new Error("enough");
    const hash = computeFileHash(join(folder, "nothing"), { signal: AbortSignal.abort(reason) });
    await expect(hash).rejects.toMatchObject({ code: "CANCELLED", cause: reason });
  });

  test("in the middle", async () => {
    const path = file("long.txt", "line\n".repeat(2_000_000));
    let looks = 0;
    // The signal aborts at the fifth check, and reading the file takes 77 reads.
    const signal = Object.defineProperty(new AbortController().signal, "aborted", { get: () => ++looks >= 5 });
    await expect(computeFileHash(path, { signal })).rejects.toMatchObject({ code: "CANCELLED" });
    expect(looks).toBe(5);
  });
});
