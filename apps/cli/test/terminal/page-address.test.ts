import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RULES } from "../../src/rules/rule-list.ts";
import { errorAddress, ruleAddress } from "../../src/terminal/page-address.ts";

const OURS = "https://git.somebody.net/somebody/agentprint";
const published = { name: "agentprint", repository: { url: `git+${OURS}.git` } };

test("without a publisher no address is made up", () => {
  expect(errorAddress({ name: "CliError", code: "usage" }, { name: "agentprint" })).toBeUndefined();
  expect(ruleAddress("mcp/item-added", { name: "agentprint" })).toBeUndefined();
});

test("the address of an error and of each rule leads to an anchor of the pages", () => {
  const pageOf = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url)), "utf8");
  const error = errorAddress({ name: "VisitError", code: "server-ended" }, published);
  expect(error).toBe(`${OURS}/blob/HEAD/docs/ERRORS.md#visiterror-server-ended`);
  expect(pageOf("ERRORS.md")).toContain('<a id="visiterror-server-ended"></a>');
  const rules = pageOf("RULES.md");
  for (const { id } of RULES.list()) {
    const [address, anchor] = ruleAddress(id, published)?.split("#") ?? [];
    expect(address).toBe(`${OURS}/blob/HEAD/docs/RULES.md`);
    expect(rules).toContain(`<a id="${anchor}"></a>\`${id}\``);
  }
});
