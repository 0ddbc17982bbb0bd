import { expect, test } from "vitest";
import { DEFAULT_POLICY, type PolicyDocument, parsePolicy, screeningOf, weakenings } from "../src/index.ts";
import { RULES } from "./support/rules.ts";

const parse = (document: PolicyDocument) => parsePolicy(document, RULES);

test("messages are screened as the server's own results say, else as those of the policy", () => {
  const results = { screen: "warn" } as const;
  const policy = parse({ results, servers: { notes: { results: { screen: "off" } }, files: {} } });
  expect(["notes", "files", "other"].map((server) => screeningOf(policy, server))).toEqual(["off", "warn", "warn"]);
  expect(screeningOf(DEFAULT_POLICY, "files")).toBe("off");
});

test.each<[string, PolicyDocument, PolicyDocument, string[]]>([
  ["less is screened", { results: { screen: "withhold" } }, { results: { screen: "warn" } }, ["/results/screen"]],
  [
    "less of one server is screened",
    { results: { screen: "warn" } },
    { results: { screen: "warn" }, servers: { files: { results: { screen: "off" } } } },
    ["/servers/files/results/screen"],
  ],
  [
    "a server was screened that is no longer named",
    { servers: { files: { results: { screen: "withhold" } } } },
    { results: { screen: "warn" } },
    ["/servers/files/results/screen"],
  ],
])("a policy is weaker where %s", (_, before, after, pointers) => {
  expect(weakenings(parse(before), parse(after)).map(({ pointer }) => pointer)).toEqual(pointers);
});

test("a policy that screens more is not weaker", () => {
  const more = parse({ results: { screen: "warn" }, servers: { files: { results: { screen: "withhold" } } } });
  expect(weakenings(DEFAULT_POLICY, more)).toEqual([]);
});
