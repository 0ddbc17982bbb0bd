/** Matches names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:aux|com\d|con|lpt\d|nul|prn)(?:\.|$)/;
const ENCODED = /^\+(0|[1-9a-f][0-9a-f]{0,31})\+([a-z0-9_-][a-z0-9._-]{0,127})$/s;
const PLAIN = /^[a-z0-9_-][a-z0-9._-]{0,127}$/s;

/**
 * Returns the name of a session's files, without the suffix: the session itself, unless it contains capital letters or
 * is the name of a device. Otherwise, the name begins with `+`, a hexadecimal number whose bits say which characters
 * are capital letters, and `+`. So two sessions have different names even on a file system that ignores case.
 */
export function fileNameOf(session: string): string {
  const lower = session.toLowerCase();
  if (lower === session && !DEVICE.test(session)) return session;
  let capitals = 0n;
  for (let index = 0; index < session.length; index++) {
    if (session[index] !== lower[index]) capitals |= 1n << BigInt(index);
  }
  return `+${capitals.toString(16)}+${lower}`;
}

/** Returns the session whose files have this name; `undefined` if there is none. */
export function sessionOf(name: string): string | undefined {
  if (PLAIN.test(name)) return DEVICE.test(name) ? undefined : name;
  const [, hex, lower] = ENCODED.exec(name) ?? [];
  if (hex === undefined || lower === undefined) return undefined;
  const capitals = BigInt(`0x${hex}`);
  const isCapital = (index: number): boolean => ((capitals >> BigInt(index)) & 1n) === 1n;
  const session = Array.from(lower, (character, index) =>
    isCapital(index) ? character.toUpperCase() : character,
  ).join("");
  return fileNameOf(session) === name ? session : undefined;
}
