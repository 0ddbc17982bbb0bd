import { expect, test } from "vitest";
import { secretsInLaunch } from "../../src/launch/launch-secrets.ts";
import { HiddenValues } from "../../src/run/hidden-values.ts";

/** Returns a text as outputs show it while a server with these arguments is started. */
function shown(text: string, ...args: string[]): string {
  const hidden = new HiddenValues();
  hidden.hide(secretsInLaunch({ type: "stdio", command: "node", args, env: [] }));
  return hidden.replace(text);
}
const VALUE = "‹value of an argument›";

test("a secret of several words is hidden as one string, and its short words stay in other texts", () => {
  const said = "s is pinned with a different command; the key of words was a key of words";
  expect(shown(said, "--key", "a key of words")).toBe(
    `s is pinned with a different command; the key of words was ${VALUE}`,
  );
});

test("a long word of a secret is also hidden alone", () => {
  expect(shown("half: correcthorse; a staple", "--key", "a correcthorse staple")).toBe(`half: ${VALUE}; a staple`);
});

test.each([
  [["--key=hunter2"], "--key=hunter2", `--key=${VALUE}`],
  [["--key", "ab1c;cd2f|ef3g"], "cd2f and ef3g", `${VALUE} and ${VALUE}`],
  [["--header", "Authorization: Bearer hunter2"], "Bearer hunter2", `Bearer ${VALUE}`],
])("each secret of %j is hidden", (args, text, expected) => {
  expect(shown(text, ...args)).toBe(expected);
});
