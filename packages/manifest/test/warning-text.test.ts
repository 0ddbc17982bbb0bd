import { expect, test } from "vitest";
import { type ManifestWarning, warningText } from "../src/index.ts";

const WARNING: ManifestWarning = { code: "UNUSUAL_SCOPE_ID", path: "/permission_scopes/0/id", message: "unusual" };

test("a warning has its own text in English, and one in Chinese with its place", () => {
  expect(warningText(WARNING, "en")).toBe("unusual");
  expect(warningText(WARNING, "zh")).toMatch(/^\p{Script=Han}.*\(\/permission_scopes\/0\/id\)$/u);
  expect(warningText({ ...WARNING, path: "" }, "zh")).not.toContain("(");
});

test("a warning of a code without a Chinese text keeps its own", () => {
  for (const code of ["SOMETHING_NEW", "toString", "__proto__"]) {
    expect(warningText({ ...WARNING, code: code as ManifestWarning["code"] }, "zh")).toBe("unusual");
  }
});
