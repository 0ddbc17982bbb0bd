import type { Readable } from "node:stream";

/**
 * The whole body of an answer or of a request.
 *
 * @throws {@link RangeError} when it is longer than `maxBytes`; no more of it is read
 */
export function readBytes(body: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      body.off("data", take).pause();
      reject(new RangeError("the body is too long"));
    };
    body.on("data", take);
    body.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    body.on("error", reject);
    body.on("close", () => {
      if (!body.readableEnded) reject(new Error("the body is cut off"));
    });
  });
}
