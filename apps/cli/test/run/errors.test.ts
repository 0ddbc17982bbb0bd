import { ClientConfigError } from "@agentprint/client-configs";
import { AuthError } from "@agentprint/mcp-auth";
import { VisitError } from "@agentprint/mcp-visit";
import { expect, test } from "vitest";
import { CliError, isExplained } from "../../src/run/errors.ts";

test.each([
  new CliError("usage", "wrong"),
  new ClientConfigError("wrong"),
  new AuthError("auth-scope", "wrong"),
  new VisitError("server-ended", "wrong").with({ fix: "correct it" }),
])("$name explains itself", (error) => {
  expect(isExplained(error)).toBe(true);
});

test.each([
  ["an error of the system", Object.assign(new Error("wrong"), { code: "ENOENT" })],
  ["an error of another package with a name of ours", Object.assign(new Error("wrong"), { name: "AuthError" })],
  ["a value that is no error", { name: "CliError", code: "usage", details: {} }],
])("%s does not explain itself", (_, error) => {
  expect(isExplained(error)).toBe(false);
});
