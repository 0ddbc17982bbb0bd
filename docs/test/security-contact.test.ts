import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSecurityContact, writeSecurityContact } from "../../apps/scripts/src/security-contact.ts";
import { REPOSITORY } from "./examples.ts";

test.each([
  ["{}", undefined],
  ['{ "publisher": { "security": null } }', undefined],
  ['{ "publisher": { "security": "security@somebody.net" } }', "security@somebody.net"],
  ['{ "publisher": { "security": "https://somebody.net/report" } }', "https://somebody.net/report"],
])("the setting %s names %s", (setting, contact) => {
  expect(readSecurityContact(setting)).toBe(contact);
});

test.each([1, "", "somebody", "http://somebody.net/report", "a@b", "a@b.net) [x](javascript:1"])(
  "the contact %j is refused",
  (security) => {
    expect(() => readSecurityContact(JSON.stringify({ publisher: { security } }))).toThrow(
      /"publisher\.security" is expected/,
    );
  },
);

test("SECURITY.md has the contact of the setting, and the same again when it is written again", () => {
  const folder = mkdtempSync(join(tmpdir(), "security-contact-"));
  const read = (): string => readFileSync(join(folder, "SECURITY.md"), "utf8");
  copyFileSync(`${REPOSITORY}SECURITY.md`, join(folder, "SECURITY.md"));
  writeSecurityContact(folder, "security@somebody.net");
  const written = read();
  expect(written).toContain(
    "privately, to [security@somebody.net](mailto:security@somebody.net), not in a public issue.",
  );
  writeSecurityContact(folder, "security@somebody.net");
  expect(read()).toBe(written);
  rmSync(folder, { recursive: true });
});
