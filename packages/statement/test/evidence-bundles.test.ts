import { createLock, formatLock, type LockFile, withServer, withStatements } from "@agentprint/mcp-lock";
import { author, NOW, statementOf, trusted } from "@agentprint/testing/statement/author";
import { beforeAll, expect, test } from "vitest";
import { openBundle } from "../src/adapters/sigstore.ts";
import { createEvidence, sealEvidence } from "../src/evidence/create-evidence.ts";
import type { Evidence } from "../src/evidence/evidence.ts";
import { verifyEvidence } from "../src/evidence/verify-evidence.ts";
import { lockedStatement } from "../src/prove-envelope.ts";
import { before } from "./example-world.ts";
import { ME, type Signed, signed } from "./signed-bundle.ts";

let mine: Signed;
let other: Signed;
let lock: LockFile;
const PART = "statements/0.json";
const utf8 = (text: string) => new TextEncoder().encode(text);

beforeAll(async () => {
  mine = await signed();
  other = await signed({ statement: statementOf(before, "1.2.1") });
  const accepted = lockedStatement("files", openBundle(mine.bundle, mine.root));
  lock = withStatements(withServer(createLock({}), before), [accepted]);
});

function evidenceWith(bundle: string, identities: unknown = [ME]): Promise<Evidence> {
  const configuration = { statements: { files: { sigstore: { trustedRoot: "root.json", identities } } } };
  return createEvidence({
    made: NOW,
    versions: {},
    period: {},
    lock: { name: "agentprint.lock", bytes: utf8(formatLock(lock)) },
    configuration: { name: "agentprint.config.json", bytes: utf8(JSON.stringify(configuration)) },
    attestations: [],
    statements: [{ server: "files", bytes: utf8(bundle) }],
    trails: [],
  });
}

/** Returns the findings about the part that contains the statement, using the root of an instance if given. */
function found(evidence: Evidence, by?: Signed): string[] {
  const { problems } = verifyEvidence(sealEvidence(evidence, author), {
    keys: trusted,
    openBundle: by && ((bundle, identities) => openBundle(bundle, by.root, identities)),
  });
  return problems.flatMap(({ rule, part, message }) => (part === PART ? `${rule}: ${message}` : []));
}

const UNDECIDED = "evidence/not-verified: no Sigstore trusted root was given: nothing proves who signed it";
const REPLACED = "evidence/statement-invalid: the lock did not accept this statement about files";
const tag = (identity: string) => ({ ...ME, identity });

test("a bundle of Sigstore is a part by its digest and its type, and is verified by a trusted root", async () => {
  const evidence = await evidenceWith(mine.bundle);
  expect(evidence.subject).toContainEqual(
    expect.objectContaining({ name: PART, mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json" }),
  );
  expect(found(evidence, mine)).toEqual([]);
  expect(found(evidence)).toEqual([UNDECIDED]);
});

test.each<[string, () => string, unknown, string]>([
  ["of another identity", () => mine.bundle, [tag(`${ME.identity}.1`)], "the signer may not sign"],
  [
    "of another issuer",
    () => mine.bundle,
    [{ ...ME, issuer: "https://gitlab.com" }],
    "the signer's identity is from another issuer",
  ],
  ["of another instance", () => other.bundle, [ME], "no authority in the trusted root attests when"],
  ["that is damaged", () => '{"dsseEnvelope":{}}', [ME], "application/vnd.in-toto+json"],
  ["without a proof", () => bare(mine.bundle), [ME], "this is not a bundle"],
])("a bundle %s is wrong by the trusted root", async (_, bundle, identities, message) => {
  const [first] = found(await evidenceWith(bundle(), identities), mine);
  expect(first).toMatch(/^evidence\/statement-invalid: /);
  expect(first).toContain(message);
});

function bare(bundle: string): string {
  return JSON.stringify({ ...JSON.parse(bundle), verificationMaterial: null });
}

test("a bundle of another statement is wrong, whoever signed it, and with no trusted root, too", async () => {
  const evidence = await evidenceWith(other.bundle);
  expect(found(evidence, other)).toEqual([REPLACED]);
  expect(found(evidence)).toEqual([REPLACED, UNDECIDED]);
});

test.each([
  ["no list", "all"],
  ["an empty list", []],
  ["a list of none", [null, {}, { identity: ME.identity }, { identity: 1, issuer: 2 }]],
])("nothing decides who may sign where the configuration has %s of identities", async (_, identities) => {
  const evidence = await evidenceWith(mine.bundle, identities);
  expect(found(evidence, mine)).toEqual([
    "evidence/not-verified: the configuration lists no identity that may sign it with Sigstore",
  ]);
});
