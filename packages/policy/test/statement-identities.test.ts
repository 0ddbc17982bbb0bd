import { describe, expect, test } from "vitest";
import { hashPolicy, PolicyError, parsePolicy, policyCanonicalPayload, weakenings } from "../src/index.ts";
import { RULES } from "./support/rules.ts";

const ISSUER = "https://token.actions.githubusercontent.com";
const WORKFLOW = "https://github.com/me/files/.github/workflows/release.yml@refs/tags/*";
const ME = { identity: WORKFLOW, issuer: ISSUER };
const YOU = { identity: "you@example.com", issuer: ISSUER };
const KEY = `MCowBQYDK2VwAyEA${"A".repeat(43)}=`;
const AT = "/statements/files/sigstore";

const keyless = (sigstore: object, rest: object = {}) =>
  parsePolicy(
    { statements: { files: { from: "s.json", sigstore: { trustedRoot: "root.json", ...sigstore }, ...rest } } },
    RULES,
  );

function refused(sigstore: object): PolicyError {
  try {
    keyless(sigstore);
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(sigstore)}`);
}

test("identities count instead of keys, and in addition to them", () => {
  const identities = [YOU, ME, YOU];
  const payload = policyCanonicalPayload(keyless({ identities }));
  expect(payload).toEqual({
    statements: { files: { from: "s.json", sigstore: { trustedRoot: "root.json", identities: [ME, YOU] } } },
  });
  expect(hashPolicy(parsePolicy(payload, RULES))).toBe(hashPolicy(keyless({ identities: [ME, YOU] })));
  const both = keyless({ identities: [ME] }, { keys: [KEY] });
  expect(both.statements?.["files"]).toMatchObject({ keys: [KEY], sigstore: { identities: [ME] } });
});

describe("a rule is refused", () => {
  test.each<[object, string, string]>([
    [{}, "missing-member", "/identities"],
    [{ identities: [] }, "invalid-value", "/identities"],
    [{ identities: [ME], trustedRoot: "../root.json" }, "invalid-value", "/trustedRoot"],
    [{ identities: [ME], trustedRoot: "/root.json" }, "invalid-value", "/trustedRoot"],
    [{ identities: [{ ...ME, issuer: "http://a.example" }] }, "invalid-value", "/identities/0/issuer"],
    [{ identities: [{ identity: WORKFLOW }] }, "missing-member", "/identities/0/issuer"],
    [{ identities: [ME], log: 1 }, "unknown-member", "/log"],
  ])("%j: %s", (sigstore, code, path) => {
    expect(refused(sigstore)).toMatchObject({ code, path: AT + path });
  });

  test.each([
    "*",
    "",
    "me@*",
    "a b",
    "https://github.com/*",
    "https://github.com/me/*@refs/tags/v1",
    "https://github.com/me/files@*",
    "https://github.com/me/files@refs/*",
    "https://github.com/me/files@refs/tags/*x",
    "https://github.com/me/*@refs/tags/*",
  ])("for the identity %j", (identity) => {
    const identities = [{ ...ME, identity }];
    expect(refused({ identities })).toMatchObject({ code: "invalid-value", path: `${AT}/identities/0/identity` });
  });
});

describe("a policy is weaker", () => {
  const mine = keyless({ identities: [ME] });
  const by = (server: object) => parsePolicy({ statements: { files: { from: "s.json", ...server } } }, RULES);

  test.each([
    ["with another identity", keyless({ identities: [ME, YOU] })],
    ["with another issuer", keyless({ identities: [{ ...ME, issuer: "https://a.example" }] })],
    ["with another trusted root", keyless({ identities: [ME], trustedRoot: "other.json" })],
  ])("%s", (_, after) => {
    expect(weakenings(mine, after)).toMatchObject([{ pointer: AT }]);
  });

  test("where identities count in addition to keys, and not where one is gone", () => {
    expect(weakenings(by({ keys: [KEY] }), keyless({ identities: [ME] }, { keys: [KEY] }))).toMatchObject([
      { pointer: AT },
    ]);
    expect(weakenings(keyless({ identities: [ME, YOU] }), mine)).toEqual([]);
    expect(weakenings(keyless({ identities: [ME] }, { keys: [KEY] }), by({ keys: [KEY] }))).toEqual([]);
  });
});
