import { generateKeyPairSync } from "node:crypto";
import { author, KEY_FILE, other, trusted } from "@agentprint/testing/statement/author";
import { expect, test } from "vitest";
import { openEnvelope, preAuthEncoding, sealEnvelope } from "../src/envelope.ts";
import { createSigner, createVerifier } from "../src/keys.ts";

const utf8 = new TextEncoder();
const PAYLOAD = utf8.encode('{"a":"ü"}');
const TEXT = sealEnvelope(PAYLOAD, author);

function changed(change: (envelope: ReturnType<typeof JSON.parse>) => void): string {
  const envelope = JSON.parse(TEXT);
  change(envelope);
  return JSON.stringify(envelope);
}

const refusal = (text: string | Uint8Array) => {
  try {
    openEnvelope(text, trusted);
  } catch (error) {
    return error;
  }
};

test("the bytes that are signed are those of the text of DSSE, with lengths in bytes", () => {
  const bytes = preAuthEncoding("http://example.com/HelloWorld", utf8.encode("hello world"));
  expect(new TextDecoder().decode(bytes)).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  expect(new TextDecoder().decode(preAuthEncoding("ü", PAYLOAD))).toBe('DSSEv1 2 ü 10 {"a":"ü"}');
});

test("an envelope opens to the payload and the key", () => {
  expect(openEnvelope(TEXT, trusted)).toEqual({ payload: PAYLOAD, keyId: author.keyId });
});

test("the id next to a signature is a hint", () => {
  const lying = changed((envelope) => {
    envelope.signatures[0].keyid = other.keyId;
  });
  const silent = changed((envelope) => {
    delete envelope.signatures[0].keyid;
  });
  for (const text of [lying, silent]) expect(openEnvelope(text, trusted).keyId).toBe(author.keyId);
});

test("one signature of a trusted key is enough, and URL-safe Base64 is read", () => {
  const text = changed((envelope) => {
    const [own] = envelope.signatures;
    envelope.payload = envelope.payload.replaceAll("+", "-").replaceAll("/", "_");
    own.sig = own.sig.replaceAll("+", "-").replaceAll("/", "_");
    envelope.signatures = [{ keyid: other.keyId, sig: Buffer.alloc(64).toString("base64") }, own];
  });
  expect(openEnvelope(text, trusted).payload).toEqual(PAYLOAD);
});

test.each([
  ["of another key", sealEnvelope(PAYLOAD, other), { code: "wrong-key", path: "/signatures" }],
  [
    "of another payload",
    changed((it) => (it.payload = "e30=")),
    { code: "invalid-signature", path: "/signatures/0/sig" },
  ],
  ["of no byte", changed((it) => (it.signatures[0].sig = "")), { code: "invalid-signature" }],
])("a signature %s is refused", (_, text, expected) => {
  expect(refusal(text)).toMatchObject(expected);
});

test.each([
  ["no JSON", "{", ""],
  ["no UTF-8", Uint8Array.of(0xff), ""],
  ["a member twice", '{"payload":"","payload":""}', "/payload"],
  ["a list", "[]", ""],
  ["another type", changed((it) => (it.payloadType = "text/plain")), "/payloadType"],
  ["no Base64", changed((it) => (it.payload = "e30")), "/payload"],
  ["Base64 of two kinds", changed((it) => (it.payload = "-+==")), "/payload"],
  ["no signature", changed((it) => (it.signatures = [])), "/signatures"],
  ["65 signatures", changed((it) => (it.signatures = Array(65).fill(it.signatures[0]))), "/signatures"],
  ["a signature that is a text", changed((it) => (it.signatures = ["x"])), "/signatures/0"],
])("an envelope with %s is refused", (_, text, path) => {
  expect(refusal(text)).toMatchObject({ name: "StatementError", code: "invalid-envelope", path });
});

test("a key is read from PEM and from one line, and has the digest of its bytes as id", () => {
  const pem = `-----BEGIN PUBLIC KEY-----\n${author.publicKey}\n-----END PUBLIC KEY-----\n`;
  expect(createVerifier(pem).keyId).toBe(author.keyId);
  expect(createVerifier(`  ${author.publicKey}\n`).keyId).toBe(author.keyId);
});

test.each([
  ["nothing", ""],
  ["a private key", KEY_FILE],
  ["the key alone", Buffer.alloc(32).toString("base64")],
  ["another algorithm", Buffer.alloc(44).toString("base64")],
  ["a key with more behind it", `${author.publicKey}AAAA`],
])("%s is no public key", (_, text) => {
  expect(() => createVerifier(text)).toThrow(expect.objectContaining({ code: "invalid-key" }));
});

test("a private key of another algorithm, with a passphrase or broken is refused, and no message repeats it", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const own = generateKeyPairSync("ed25519").privateKey;
  const files = [
    privateKey.export({ format: "pem", type: "pkcs8" }),
    own.export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "secret" }),
    KEY_FILE.replace("MC4C", "MC5C"),
    "",
  ].map(String);
  for (const file of files) {
    expect(() => createSigner(file)).toThrow(
      expect.objectContaining({ code: "invalid-key", message: expect.not.stringMatching(/[A-Za-z0-9+/]{20}/) }),
    );
  }
});
