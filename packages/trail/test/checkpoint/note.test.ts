import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addSignature,
  createCosigner,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
  openNote,
  signNote,
  TrailError,
} from "../../src/checkpoint/index.ts";
import * as node from "../../src/ed25519/node.ts";
import * as portable from "../../src/ed25519/portable.ts";

const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
const keys = createNoteKeys("example.com/log", seed);
const signer = createNoteSigner(keys.signerKey);
const verifier = createNoteVerifier(keys.verifierKey);
const text = "example.com/log\n3\nroot\n";

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof TrailError) return error.code;
    throw error;
  }
  return undefined;
}

describe.each([
  ["node:crypto", node],
  ["portable", portable],
])("Ed25519 of %s", (_name, { publicKeyOf, sign, verify }) => {
  // RFC 8032 §7.1, test 2.
  const secret = Uint8Array.from(
    Buffer.from("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "hex"),
  );
  const publicKey = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
  const signature =
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

  test("has the known answers of RFC 8032", () => {
    const message = Uint8Array.of(0x72);
    expect(Buffer.from(publicKeyOf(secret)).toString("hex")).toBe(publicKey);
    expect(Buffer.from(sign(message, secret)).toString("hex")).toBe(signature);
    const bytes = Uint8Array.from(Buffer.from(signature, "hex"));
    expect(verify(bytes, message, publicKeyOf(secret))).toBe(true);
    expect(verify(bytes, Uint8Array.of(0x73), publicKeyOf(secret))).toBe(false);
  });

  test("agrees with the other", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array(), (anySeed, message) => {
        expect(sign(message, anySeed)).toEqual(node.sign(message, anySeed));
        expect(verify(portable.sign(message, anySeed), message, node.publicKeyOf(anySeed))).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});

describe("signed notes", () => {
  test("open with the signer's key", () => {
    const note = signNote(text, [signer]);
    expect(note.startsWith(`${text}\n\u2014 example.com/log `)).toBe(true);
    expect(openNote(note, [verifier])).toEqual({
      text,
      signatures: [{ name: "example.com/log", keyId: verifier.keyId }],
      unknown: [],
    });
  });

  test("may carry signatures of unknown keys, which are not checked", () => {
    const other = createNoteKeys("example.com/other", seed);
    const note = addSignature(signNote(text, [signer]), createNoteSigner(other.signerKey));
    expect(openNote(note, [verifier]).unknown).toHaveLength(1);
    expect(openNote(note, [verifier, createNoteVerifier(other.verifierKey)]).signatures).toHaveLength(2);
  });

  test("carry cosignatures with their time", () => {
    const witness = createNoteKeys("example.com/witness", seed);
    const note = addSignature(
      signNote(text, [signer]),
      createCosigner(witness.signerKey, () => 1_700_000_000.9),
    );
    const { signatures } = openNote(note, [verifier, createNoteVerifier(witness.cosignerKey)]);
    expect(signatures[1]).toMatchObject({ name: "example.com/witness", time: 1_700_000_000 });
    expect(codeOf(() => openNote(note, [createNoteVerifier(witness.verifierKey)]))).toBe("unknown-signer");
  });

  test("do not open when any byte of the text or of the signature changes", () => {
    const note = signNote(text, [signer]);
    const signatureAt = note.lastIndexOf(" ") + 7;
    fc.assert(
      fc.property(fc.nat(note.length - 3), fc.constantFrom("A", "b", "7", "/"), (index, letter) => {
        fc.pre(note[index] !== letter && (index < text.length - 1 || index > signatureAt));
        expect(codeOf(() => openNote(note.slice(0, index) + letter + note.slice(index + 1), [verifier]))).toBeDefined();
      }),
    );
  });

  test("cannot be made of a text that a note cannot carry", () => {
    for (const bad of ["no line feed", "tab\there\n", "\u0000\n", "\ud800\n", ""]) {
      expect(codeOf(() => signNote(bad, [signer]))).toBe("invalid-note");
    }
  });

  test.each([
    ["", "invalid-note"],
    ["text\n", "invalid-note"],
    ["text\n\n", "invalid-note"],
    ["text\n\nno dash\n", "invalid-note"],
    ["text\n\n\u2014 name AAAA\n", "invalid-note"],
    ["text\n\n\u2014 name AAAA=\n", "invalid-note"],
    ["text\n\n\u2014 name AAAAAAB=\n", "invalid-note"],
    ["text\n\n\u2014 name AAAAAAA=", "invalid-note"],
    ["te\u0001xt\n\n\u2014 name AAAAAAA=\n", "invalid-note"],
    ["text\n\n\u2014 name AAAAAAA=\n", "unknown-signer"],
    [`text\n\n${"\u2014 name AAAAAAA=\n".repeat(101)}`, "invalid-note"],
    [`${"x".repeat(1_000_000)}\n\n\u2014 name AAAAAAA=\n`, "invalid-note"],
    [`text\n\n\u2014 name ${"A".repeat(900_000)}\n`, "unknown-signer"],
    [`text\n\n\u2014 name ${"A".repeat(900_000)}B=\n`, "invalid-note"],
  ])("are refused: %#", (note, code) => {
    expect(codeOf(() => openNote(note, [verifier]))).toBe(code);
  });

  test("say who signed if no trusted key did", () => {
    expect(() => openNote(signNote(text, [signer]), [])).toThrow(/no key at all; signed by "example.com\/log"/);
    expect(() => openNote(signNote(text, []), [verifier])).toThrow(TrailError);
  });
});

describe("keys", () => {
  const base64 = (...bytes: number[]): string => Buffer.from(bytes).toString("base64");
  test.each([
    "",
    "name",
    "name+00000000+!",
    `name+00000000+${base64(1, 2)}`,
    `name+00000000+${base64(9, ...seed)}`,
    `name+00000000+${base64(1, ...seed)}`,
    `na me+00000000+${base64(1, ...seed)}`,
    `+00000000+${base64(1, ...seed)}`,
  ])("%j is no verifier key", (key) => {
    expect(codeOf(() => createNoteVerifier(key))).toBe("invalid-key");
  });

  test("refuses a name or a seed that cannot make a key", () => {
    expect(codeOf(() => createNoteKeys("a+b", seed))).toBe("invalid-key");
    expect(codeOf(() => createNoteKeys("a b", seed))).toBe("invalid-key");
    expect(codeOf(() => createNoteKeys("\ud800", seed))).toBe("invalid-key");
    expect(codeOf(() => createNoteKeys("name", seed.subarray(1)))).toBe("invalid-key");
  });

  test("refuses a text that is no secret key, and never repeats it", () => {
    for (const key of [keys.verifierKey, keys.signerKey.replace(/\+[0-9a-f]{8}\+/, "+00000000+")]) {
      expect(codeOf(() => createNoteSigner(key))).toBe("invalid-key");
      const secret = key.slice(-20);
      expect(() => createNoteSigner(key)).not.toThrow(new RegExp(secret.replace(/[+/]/g, ".")));
    }
  });

  test("checks the length of a signature before anything else", () => {
    const cosigner = createNoteVerifier(keys.cosignerKey);
    expect(verifier.verify(text, new Uint8Array(3))).toBe(false);
    expect(cosigner.verify(text, new Uint8Array(64))).toBe(false);
  });
});
