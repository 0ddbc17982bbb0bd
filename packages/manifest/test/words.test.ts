import { scopeOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { describe, expect, test } from "vitest";
import { capabilityEntries, LANGUAGES, REVIEW_CARD, scopeLabel, toolDescription } from "../src/index.ts";
import { STANDARD_SCOPES } from "../src/sensitivity.ts";

describe("the label of a scope", () => {
  test("is the specification's for each standard scope, whatever the manifest and the client say", () => {
    const labels = Object.keys(STANDARD_SCOPES).map((id) =>
      scopeLabel(scopeOf(id, "low"), "zh", { [`scopes.${id}`]: "x" }),
    );
    expect(labels).toEqual(["发送通知", "读取本地文件", "读取剪贴板", "读取位置"]);
    for (const id of Object.keys(STANDARD_SCOPES))
      expect(scopeLabel(scopeOf(id, "low"), "en")).not.toContain("scopes.");
  });

  test("is the client's text for another scope, else its key, else its id", () => {
    const scope = scopeOf("notes:read", "low");
    expect(scopeLabel(scope, "en", { "scopes.notes:read": "Read notes" })).toBe("Read notes");
    expect(scopeLabel(scope, "zh")).toBe("scopes.notes:read");
    expect(scopeLabel({ ...scope, label_i18n_key: " " }, "en")).toBe("notes:read");
    expect(scopeLabel({ id: "toString", label_i18n_key: "constructor" }, "en")).toBe("constructor");
  });
});

test("the description of a tool is the client's text for its key, else the key, else the tool's name", () => {
  expect(toolDescription(toolOf("send"), { "tools.send": "Sends" })).toBe("Sends");
  expect(toolDescription(toolOf("send"))).toBe("tools.send");
  expect(toolDescription({ name: "send", description_i18n_key: "" })).toBe("send");
});

test("a client shows one control for each flag that is true", () => {
  const capability_flags = { supports_group_chat: true, supports_voice: true, supports_artifacts: false };
  for (const language of LANGUAGES) {
    const entries = capabilityEntries({ capability_flags }, language);
    expect(entries.map(({ flag }) => flag)).toEqual(["supports_voice", "supports_group_chat"]);
    expect(REVIEW_CARD[language]).not.toBe("");
  }
  expect(capabilityEntries({ capability_flags }, "zh")[0]?.label).toBe("语音键");
});
