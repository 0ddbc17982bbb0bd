import { RegistryError } from "../errors.ts";

/** Most bytes of a body that are read: four times the cap of a manifest, because white space makes it longer. */
export const MAX_BODY_BYTES = 524_288;

/**
 * The bytes of a JSON body. A body that is too large is refused before it is read whole.
 *
 * @throws {@link RegistryError} `UNSUPPORTED_MEDIA_TYPE` when it is not JSON or is compressed, `MANIFEST_TOO_LARGE`.
 */
export async function readJsonBody(request: Request): Promise<Uint8Array> {
  checkMediaType(request.headers);
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
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
