/**
 * The whole body of an answer or of a request.
 *
 * @throws {@link RangeError} when it is longer than `maxBytes`; no more of it is read
 */
export async function readBytes({ body }: { readonly body: unknown }, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw new RangeError("the body is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
