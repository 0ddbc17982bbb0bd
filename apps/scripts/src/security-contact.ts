import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withPart } from "@agentprint/testing/markdown/markdown-part";

const ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;

/**
 * Returns where vulnerabilities are reported: an address or an `https:` URL, or `undefined` if `publisher` in
 * package.json names none.
 */
export function readSecurityContact(text: string): string | undefined {
  const { publisher } = JSON.parse(text) as { publisher?: { security?: unknown } };
  const security = publisher?.security;
  if (security === undefined || security === null) return undefined;
  if (typeof security === "string" && (ADDRESS.test(security) || /^https:\/\/[\w.-]+\/\S+$/.test(security)))
    return security;
  throw new Error(
    `package.json: "publisher.security" is expected to be an address or an https: URL, received ${JSON.stringify(security)}`,
  );
}

/** Writes the contact into `SECURITY.md` below `root`. */
export function writeSecurityContact(root: string, contact: string): void {
  const path = join(root, "SECURITY.md");
  const link = contact.startsWith("https:") ? `<${contact}>` : `[${contact}](mailto:${contact})`;
  const sentence = `Please report a vulnerability privately, to ${link}, not in a public issue.`;
  writeFileSync(path, withPart(readFileSync(path, "utf8"), "contact", sentence));
}
