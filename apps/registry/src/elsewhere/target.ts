const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a place for checkpoints is a URL rather than a folder. */
export function isUrl(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(target);
}

/** Returns whether checkpoints can be sent to `target`: a folder, `https:`, or `http:` on this machine. */
export function isTarget(target: string): boolean {
  if (!isUrl(target)) return target !== "";
  const { protocol, hostname } = URL.canParse(target) ? new URL(target) : { protocol: "", hostname: "" };
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}
