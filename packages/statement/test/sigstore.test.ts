import { author, NOW, statementOf } from "@agentprint/testing/statement/author";
import { inAnHour } from "@agentprint/testing/statement/sigstore-instance";
import { beforeAll, describe, expect, test } from "vitest";
import { openBundle, readTrustedRoot, type SigstoreIdentity, type SigstoreRoot } from "../src/adapters/sigstore.ts";
import { isBundle, proveOpened, StatementError, signStatement } from "../src/index.ts";
import { after, before } from "./example-world.ts";
import { ISSUER, ME, type Signed, signed, WORKFLOW } from "./signed-bundle.ts";

const STATEMENT = statementOf(before, "1.2.0");

let mine: Signed;
let other: Signed;
beforeAll(async () => {
  mine = await signed();
  other = await signed({ statement: statementOf(after, "1.3.0") });
});

test("a certificate that names no one signs for no one", () => {
  const verifier = { verify: () => ({ identity: { extensions: { issuer: ISSUER } } }) };
  expect(() => openBundle(mine.bundle, { verifier } as unknown as SigstoreRoot)).toThrow(
    expect.objectContaining({ code: "wrong-identity", message: "the certificate names no one" }),
  );
});

const open = ({ bundle, root }: Signed, identities?: readonly SigstoreIdentity[]) =>
  openBundle(bundle, root, identities);

function refused(attempt: () => unknown): StatementError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof StatementError) return error;
    throw error;
  }
  throw new Error("accepted");
}

/** Returns a bundle with another value at a path, or without that member if the value is absent. */
function withValue(bundle: string, path: string, value?: unknown): string {
  const copy = JSON.parse(bundle);
  const names = path.split(".");
  const last = names.pop() as string;
  const parent = names.reduce((part, name) => part[name], copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return JSON.stringify(copy);
}

const valueIn = (bundle: string, path: string) =>
  path.split(".").reduce((part, name) => part[name], JSON.parse(bundle));

/** Returns Base64 with its middle byte changed, or a different number or text. */
function changed(value: string): string {
  if (/^\d+$/.test(value)) return String(Number(value) + 1);
  if (!/^[A-Za-z0-9+/=]{24,}$/.test(value)) return value.replace(/\w/, "x");
  const bytes = Buffer.from(value, "base64");
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] as number) ^ 1;
  return bytes.toString("base64");
}

test("a statement in a bundle is opened", () => {
  const expected = { statement: STATEMENT, keyId: `${WORKFLOW} of ${ISSUER}` };
  for (const identities of [undefined, [ME], [{ ...ME, identity: "me@example.com" }, ME]]) {
    expect(open(mine, identities)).toMatchObject(expected);
  }
  expect(open(mine, [{ ...ME, identity: WORKFLOW.replace("v1.2.0", "*") }])).toMatchObject(expected);
  expect(proveOpened(() => open(mine, [ME]), { now: NOW, served: before }).problems).toEqual([]);
});

test("a bundle is no envelope alone", () => {
  expect(isBundle(mine.bundle)).toBe(true);
  for (const text of [signStatement(STATEMENT, author), "[]", "<html>", "null"]) expect(isBundle(text)).toBe(false);
});

describe("a signer without permission", () => {
  test.each<[string, SigstoreIdentity, string]>([
    ["another workflow", { ...ME, identity: WORKFLOW.replace("release", "other") }, "may not sign"],
    ["another tag", { ...ME, identity: `${WORKFLOW}.1` }, "may not sign"],
    ["the beginning of the identity", { ...ME, identity: WORKFLOW.slice(0, -1) }, "may not sign"],
    ["a regular expression", { ...ME, identity: ".*" }, "may not sign"],
    ["references of another kind", { ...ME, identity: WORKFLOW.replace("tags/v1.2.0", "heads/*") }, "may not sign"],
    ["another issuer", { ...ME, issuer: "https://gitlab.com" }, "another issuer"],
    [
      "another issuer of tags",
      { identity: WORKFLOW.replace("v1.2.0", "*"), issuer: "https://a.example" },
      "another issuer",
    ],
  ])("%s counts", (_, identity, said) => {
    const { problems, opened } = proveOpened(() => open(mine, [identity]), { now: NOW, served: before });
    expect(opened).toBeUndefined();
    expect(problems).toEqual([
      {
        rule: "statement/wrong-identity",
        path: "/verificationMaterial/certificate",
        message: expect.stringContaining(said),
      },
    ]);
  });

  test("nobody counts where the list is empty", () => {
    expect(refused(() => open(mine, [])).code).toBe("wrong-identity");
  });
});

// In the proof, `rootHash` and `treeSize` repeat the checkpoint, and nothing reads them.
test("each field of a bundle is proven", () => {
  const entry = "verificationMaterial.tlogEntries.0";
  for (const [path, code] of Object.entries({
    "dsseEnvelope.payload": "not-logged",
    "dsseEnvelope.payloadType": "invalid-envelope",
    "dsseEnvelope.signatures.0.sig": "not-logged",
    mediaType: "invalid-envelope",
    "verificationMaterial.certificate.rawBytes": "untrusted-certificate",
    "verificationMaterial.timestampVerificationData.rfc3161Timestamps.0.signedTimestamp": "not-logged",
    [`${entry}.canonicalizedBody`]: "not-logged",
    [`${entry}.inclusionPromise.signedEntryTimestamp`]: "not-logged",
    [`${entry}.inclusionProof.checkpoint.envelope`]: "not-logged",
    [`${entry}.integratedTime`]: "not-logged",
    [`${entry}.kindVersion.kind`]: "not-logged",
    [`${entry}.logId.keyId`]: "not-logged",
    [`${entry}.logIndex`]: "not-logged",
  })) {
    const bundle = withValue(mine.bundle, path, changed(valueIn(mine.bundle, path)));
    expect([path, refused(() => open({ ...mine, bundle })).code]).toEqual([path, code]);
  }
});

describe("parts of another bundle are refused", () => {
  test.each([
    ["dsseEnvelope", "not-logged"],
    ["verificationMaterial", "not-logged"],
    ["verificationMaterial.certificate", "untrusted-certificate"],
    ["verificationMaterial.tlogEntries", "not-logged"],
    ["verificationMaterial.timestampVerificationData", "not-logged"],
  ])("%s", (path, code) => {
    const bundle = withValue(mine.bundle, path, valueIn(other.bundle, path));
    expect(refused(() => open({ ...mine, bundle })).code).toBe(code);
  });
});

test("an instance knows only its own", () => {
  expect(["not-logged", "untrusted-certificate"]).toContain(refused(() => open({ ...mine, root: other.root })).code);
});

test("a certificate counts only for the minutes in which it is valid", async () => {
  const witnessed = inAnHour();
  const at = (minutes: number) => signed({ witnessed, certified: new Date(witnessed.getTime() - minutes * 60_000) });
  for (const [minutes, code] of [
    [11, "untrusted-certificate"],
    [-1, "untrusted-certificate"],
  ] as const) {
    const bundle = await at(minutes);
    expect(refused(() => open(bundle, [ME])).code).toBe(code);
  }
  expect(open(await at(5), [ME]).statement).toEqual(STATEMENT);
});

test("only a log proves the time, and a time stamp without a log does not count", () => {
  const material = "verificationMaterial";
  const unstamped = withValue(mine.bundle, `${material}.timestampVerificationData`);
  expect(open({ ...mine, bundle: unstamped }).statement).toEqual(STATEMENT);
  const unlogged = withValue(mine.bundle, `${material}.tlogEntries`, []);
  expect(refused(() => open({ ...mine, bundle: unlogged })).code).toBe("not-logged");
  const nobody = withValue(unstamped, `${material}.tlogEntries`, []);
  expect(refused(() => open({ ...mine, bundle: nobody })).code).toBe("not-logged");
  const promised = withValue(unstamped, `${material}.tlogEntries.0.inclusionPromise`);
  expect(refused(() => open({ ...mine, bundle: promised })).code).toBe("not-logged");
});

describe("a text that is no bundle of a statement", () => {
  const changedAt = (path: string, value?: unknown) => () => withValue(mine.bundle, path, value);
  test.each<[string, () => string, string]>([
    ["no JSON", () => "<html>", "invalid-envelope"],
    ["no object", () => "null", "invalid-envelope"],
    ["an envelope alone", () => signStatement(STATEMENT, author), "invalid-envelope"],
    [
      "an older bundle",
      changedAt("mediaType", "application/vnd.dev.sigstore.bundle+json;version=0.1"),
      "invalid-envelope",
    ],
    ["a key instead of a certificate", changedAt("verificationMaterial.certificate"), "invalid-envelope"],
    ["no certificate", changedAt("verificationMaterial.certificate.rawBytes", "AAAA"), "invalid-envelope"],
    ["a signature of a file", () => signatureOfFile(mine.bundle), "invalid-envelope"],
    ["many entries", () => withEntries(mine.bundle, 17), "invalid-envelope"],
    ["a number in place of a text", changedAt("dsseEnvelope.payload", 7), "invalid-envelope"],
  ])("%s", (_, text, code) => {
    expect(refused(() => open({ ...mine, bundle: text() })).code).toBe(code);
  });

  test("the name of a key instead of a certificate", () => {
    const bundle = withValue(
      withValue(mine.bundle, "verificationMaterial.certificate"),
      "verificationMaterial.publicKey",
      {
        hint: "x",
      },
    );
    expect(refused(() => open({ ...mine, bundle })).code).toBe("untrusted-certificate");
  });

  test("an entry that is there twice", () => {
    expect(refused(() => open({ ...mine, bundle: withEntries(mine.bundle, 2) })).code).toBe("not-logged");
  });

  test("a payload of another kind", async () => {
    const bundle = await signed({ payload: Buffer.from("{}") });
    expect(refused(() => open(bundle)).code).toBe("invalid-statement");
  });
});

function withEntries(bundle: string, count: number): string {
  const [entry] = valueIn(bundle, "verificationMaterial.tlogEntries");
  return withValue(bundle, "verificationMaterial.tlogEntries", Array(count).fill(entry));
}

function signatureOfFile(bundle: string): string {
  const messageSignature = { messageDigest: { algorithm: "SHA2_256", digest: "AAAA" }, signature: "AAAA" };
  return withValue(withValue(bundle, "dsseEnvelope"), "messageSignature", messageSignature);
}

describe("a trusted root is refused", () => {
  const TYPE = "application/vnd.dev.sigstore.trustedroot+json;version=0.1";
  test.each([
    ["that is no JSON", "<html>"],
    ["that is no object", "null"],
    ["without its type", "{}"],
    ["of another type", JSON.stringify({ mediaType: "text/plain" })],
    ["with a log without a key", JSON.stringify({ mediaType: TYPE, tlogs: [{}] })],
    [
      "with a certificate that is none",
      JSON.stringify({
        mediaType: TYPE,
        certificateAuthorities: [{ certChain: { certificates: [{ rawBytes: "AA==" }] } }],
      }),
    ],
  ])("%s", (_, text) => {
    expect(refused(() => readTrustedRoot(text)).code).toBe("invalid-root");
  });
});
