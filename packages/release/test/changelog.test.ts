import { entryOf, strictTool, tool } from "@agentprint/testing/lock/locked-server";
import { describe, expect, test } from "vitest";
import { changelogEntry, changesetText, judgeRelease, pendingLevel } from "../src/index.ts";

const BEFORE = entryOf([tool("read"), tool("gone")]);
const AFTER = entryOf([strictTool("read"), tool("write", { title: "W" })], "2.0.0");
const VERDICT = judgeRelease(BEFORE, AFTER, new Map());

describe("the entry of a changelog", () => {
  test("has what was added, changed and removed, with the call that breaks", () => {
    const before = entryOf([tool("read"), { name: "gone", description: "Ends all", inputSchema: { const: 1 } }]);
    const verdict = judgeRelease(before, AFTER);
    expect(changelogEntry(verdict, { version: "2.0.0", date: "2026-01-31" })).toBe(`## [2.0.0] - 2026-01-31

### Added

- \`write\`: tool added

### Changed

- **Breaking:** \`read\`: contract changed, callers break at \`/inputSchema/required\` (arguments {} were valid and are now rejected)

### Removed

- **Breaking:** \`gone\`: tool removed
`);
  });

  test("names no day without one, and says where nothing changed", () => {
    const none = judgeRelease(BEFORE, BEFORE);
    expect(changelogEntry(none, { version: "1.0.1" })).toBe("## [1.0.1]\n\nThe tools are the same as before.\n");
    expect(changesetText(none, "files")).toBeUndefined();
  });

  test("escapes what a server says, and leaves long proofs out", () => {
    const name = "a`b\n## @you";
    const verdict = judgeRelease(entryOf([]), entryOf([tool(name)]));
    expect(changelogEntry(verdict, { version: "1.0.0" })).not.toContain("\n## @you");
  });
});

test("an entry says the same words of several places once", () => {
  const verdict = judgeRelease(
    entryOf([tool("read")]),
    entryOf([tool("read", { annotations: { readOnlyHint: true, openWorldHint: false } })]),
  );
  expect(changelogEntry(verdict, { version: "2.0.0" })).toContain(
    "- `read`: hint changed towards less asking at `/annotations/openWorldHint`, `/annotations/readOnlyHint`\n",
  );
});

describe("a changeset", () => {
  test("gives the package the level, and says what changed", () => {
    const text = changesetText(VERDICT, "@me/files") ?? "";
    expect(text).toMatch(/^---\n"@me\/files": major\n---\n\nThe server's tools changed\.\n\n#### /);
    expect(pendingLevel([text], "@me/files")).toBe("major");
  });

  test("is read for one package, the highest of all", () => {
    const of = (level: string): string => `---\r\n"a": ${level}\r\nb: patch\r\n---\r\n\r\nWords\r\n`;
    expect(pendingLevel([of("minor"), of("patch"), "---\n---\n\nNothing.\n"], "a")).toBe("minor");
    expect(pendingLevel([of("major")], "b")).toBe("patch");
    expect(pendingLevel([of("major")], "toString")).toBe("none");
    expect(pendingLevel([], "a")).toBe("none");
  });

  test.each([
    "no front matter",
    "---\na: huge\n---\n",
    "---\n{\n---\n",
    "---\n7\n---\n",
    "---\na: *x\n---\n",
    `---\n${"a".repeat(1024 * 1024)}\n---\n`,
  ])("%.30j is none", (text) => {
    expect(() => pendingLevel([text], "a")).toThrow(expect.objectContaining({ code: "invalid-changeset" }));
  });
});
