import { RegistryError } from "../errors.ts";

/**
 * The most bytes that are read from a body: four times the limit for a manifest, because white space makes a body
 * longer.
 */
export const MAX_BODY_BYTES = 524_288;

/**
 * Returns the bytes of a JSON body. A body that is too large is refused before all of it is read.
 *
 * @throws {@link RegistryError} `UNSUPPORTED_MEDIA_TYPE` when the body is not JSON or is compressed,
 * `MANIFEST_TOO_LARGE`, `INVALID_JSON` when the client hangs up.
 */
export async function readJsonBody(request: Request): Promise<Uint8Array> {
  checkMediaType(request.headers);
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  try {
    // At most the declared number of bytes arrives, and reading them at once takes a fraction of the time that a stream
    // takes.
    return length === null ? await readStream(request) : new Uint8Array(await request.arrayBuffer());
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause;
    throw new RegistryError("INVALID_JSON", "the body ended early", { cause });
  }
}

async function readStream(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, size));
}

function checkMediaType(headers: Headers): void {
  const received = headers.get("content-type") ?? "nothing";
  const [type = "", ...parameters] = received.split(";").map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter));
  const isPlain = /^(identity)?$/i.test(headers.get("content-encoding") ?? "");
  if (type === "application/json" && isUtf8 && isPlain) return;
  const message = `expected application/json in UTF-8, not compressed, received ${received}`;
  throw new RegistryError("UNSUPPORTED_MEDIA_TYPE", message, {
    headers: { accept: "application/json", "accept-patch": "application/json" },
  });
}

function tooLarge(): RegistryError {
  const message = `expected a body of at most ${MAX_BODY_BYTES} bytes`;
  const issues = [{ code: "MANIFEST_TOO_LARGE", pointer: "", detail: message }];
  return new RegistryError("MANIFEST_TOO_LARGE", message, { issues });
}
