/** The name of a statement's file in a package, and below `/.well-known/` at an address. */
export const STATEMENT_FILE = "agentprint.statement.json";

/** Returns whether a text is an address from which a statement can be read: with `https`, or on this machine. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname));
}

/**
 * Returns where the author of a server at an address publishes its statement; `undefined` if nothing can be read there.
 */
export function addressPlace(url: string): string | undefined {
  return isAddress(url) ? `${new URL(url).origin}/.well-known/${STATEMENT_FILE}` : undefined;
}
