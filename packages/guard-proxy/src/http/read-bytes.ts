import type { Readable } from "node:stream";
import { NoRoomError } from "./exchange-room.ts";

/**
 * Reads the complete body of an answer or a request.
 *
 * @param fits Reserves memory for the bytes read; returns whether there is enough
 * @throws {@link RangeError} when the body is longer than `maxBytes`; {@link NoRoomError} when it does not fit. In both
 * cases, the rest is not read
 */
export function readBytes(
  body: Readable,
  maxBytes: number,
  fits: (bytes: number) => boolean = () => true,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      const isLong = length > maxBytes;
      if (!isLong && fits(length)) return;
      body.off("data", take).pause();
      reject(isLong ? new RangeError("the body is too long") : new NoRoomError());
    };
    body.on("data", take);
    body.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    body.on("error", reject);
    body.on("close", () => {
      if (!body.readableEnded) reject(new Error("the body is cut off"));
    });
  });
}
