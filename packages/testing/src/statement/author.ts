import { generateKeyPairSync } from "node:crypto";
import type { LockedServer } from "@agentprint/mcp-lock";
import {
  createSigner,
  createStatement,
  createVerifier,
  type OpenedStatement,
  openStatement,
  type Statement,
  type StatementParts,
  type StatementSigner,
  type StatementVerifier,
  signStatement,
} from "@agentprint/statement";

/** Returns the private key for a seed from RFC 8032 §7.1, as a key file. */
function keyFile(seed: string): string {
  const body = Buffer.from(`302e020100300506032b657004220420${seed}`, "hex").toString("base64");
  return `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
}

/** The seeds of TEST 1 and TEST 2 in RFC 8032. */
export const KEY_FILE: string = keyFile("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
const OTHER_KEY_FILE = keyFile("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");

export const author: StatementSigner = createSigner(KEY_FILE);
export const other: StatementSigner = createSigner(OTHER_KEY_FILE);
export const trusted: readonly StatementVerifier[] = [createVerifier(author.publicKey)];

export const NOW: Date = new Date("2026-06-01T00:00:00Z");

/** Returns the statement of a release, signed in January and valid for a year. */
export function statementOf(entry: LockedServer, version: string, rest: Partial<StatementParts> = {}): Statement {
  const [issued, expires] = [new Date("2026-01-31T00:00:00Z"), new Date("2027-01-31T00:00:00Z")];
  return createStatement({ entry, version, issued, expires, ...rest });
}

/** Returns a statement, signed by its author and opened. */
export function opened(statement: Statement): OpenedStatement {
  return openStatement(signStatement(statement, author), trusted);
}

/** Returns a key that no other test uses. */
export function newSigner(): StatementSigner {
  return createSigner(generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString());
}
