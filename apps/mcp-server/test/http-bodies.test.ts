import { request as sendTo } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCEPTS, connectHttp, post, startTestHttp, type TestHttp } from "./support/http.ts";
import { type Json, messageOf } from "./support/server.ts";

const LIST = JSON.stringify(messageOf("2026-07-28", 1, "tools/list"));
const MODERN = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };

describe("a body", () => {
  const LIMIT = 1024 * 6 + 2 ** 20;
  let small: TestHttp;
  beforeAll(async () => {
    small = await startTestHttp({ hash_limit: "1024", content_limit: "1024" });
  });
  afterAll(() => small.close());

  /** Sends a body in pieces until all of it has been read; returns the answer, which must be complete. */
  const send = (length: number, isAnnounced: boolean): Promise<{ status: number | undefined; body: Json }> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...MODERN,
        ...ACCEPTS,
        ...(isAnnounced && { "content-length": length }),
      };
      const request = sendTo(small.url, { method: "POST", headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
      request.on("error", reject);
      const piece = Buffer.alloc(65_536, " ");
      pipeline(
        Readable.from(
          (function* () {
            for (let left = length; left > 0; left -= piece.length) yield piece.subarray(0, left);
          })(),
        ),
        request,
      ).catch(reject);
    });

  test.each([true, false])(
    "over the limit is answered and not cut, with its length announced: %s",
    async (isAnnounced) => {
      for (const length of [LIMIT + 1, 20 * LIMIT]) {
        const { status, body } = await send(length, isAnnounced);
        expect([status, body.jsonrpc, body.error.message]).toEqual([
          413,
          "2.0",
          `expected a body of at most ${LIMIT} bytes`,
        ]);
      }
      expect((await send(LIMIT, isAnnounced)).status).toBe(400);
    },
  );

  test("from a client with a wrong token is answered, too", async () => {
    const wide = await startTestHttp({ host: "0.0.0.0" });
    const request = { method: "POST", headers: { ...MODERN, authorization: "Bearer x" }, body: "x".repeat(2 ** 24) };
    expect((await fetch(wide.url.replace("0.0.0.0", "127.0.0.1"), request)).status).toBe(401);
    await wide.close();
  });

  test("has room for the longest text with every character escaped", async () => {
    const client = await connectHttp(small.url, "2026-07-28");
    for (const [length, outcome] of [
      [1024, true],
      [1025, false],
    ] as const) {
      const content = "\u0001".repeat(length);
      const { structuredContent } = await client.call("code_hash_normalized", { content });
      expect([structuredContent.success, structuredContent.errorCode]).toEqual([
        outcome,
        outcome ? null : "CONTENT_TOO_LARGE",
      ]);
    }
  });
});

test("bodies that arrive at the same time share the memory: bodies beyond the limit are answered with 503", async () => {
  const small = await startTestHttp({ hash_limit: "0", content_limit: "1" });
  const limit = 6 + 2 ** 20;
  const held = Array.from({ length: 4 }, () => {
    const request = sendTo(small.url, { method: "POST", headers: { ...MODERN, "content-length": limit } });
    request.on("error", () => {});
    request.write(Buffer.alloc(limit - 1, " "));
    return request;
  });
  let refused: Awaited<ReturnType<typeof post>>;
  do refused = await post(small.url, LIST + " ".repeat(1000), MODERN);
  while (refused.status === 200);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  for (const request of held) request.destroy();
  while ((await post(small.url, LIST, MODERN)).status !== 200);
  await small.close();
});
