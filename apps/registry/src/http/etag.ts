import { RegistryError } from "../errors.ts";

/** Returns the ETag of a manifest: its hash. */
export function manifestTag(hash: string): string {
  return `"${hash}"`;
}

/** Returns the ETag of an agent or a version: version and hash, because two versions can share a hash. */
export function versionTag({ version, hash }: { readonly version: number; readonly hash: string }): string {
  return `"${version}-${hash}"`;
}

/** Returns whether `If-None-Match` names `tag`, by weak comparison (RFC 9110 §13.1.2). */
export function isUnchanged(ifNoneMatch: string | undefined, tag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === "*" || tagsOf(ifNoneMatch).some((one) => one.replace(/^W\//, "") === tag))
  );
}

/**
 * Checks that `If-Match` is absent or names `tag`, by strong comparison (RFC 9110 §13.1.1).
 *
 * @throws {@link RegistryError} `PRECONDITION_FAILED` with the current ETag.
 */
export function checkMatch(ifMatch: string | undefined, tag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === "*" || tagsOf(ifMatch).includes(tag)) return;
  const message = `expected the agent to match If-Match, but its ETag is ${tag}`;
  throw new RegistryError("PRECONDITION_FAILED", message, { headers: { etag: tag } });
}

function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
