import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { diffManifests, hashManifest, parseManifest, publishManifest } from "../src/index.ts";

test("the quick start of the README does what its comments say", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n(?<code>.*?)```/s.exec(readme)?.groups?.["code"] ?? "";
  const text = /const text = `(?<text>.*?)`;/s.exec(code)?.groups?.["text"] ?? "";
  const parsed = parseManifest(text);
  if (!parsed.ok) throw new Error("refused");
  expect(hashManifest(parsed.manifest)).toMatch(/^[\da-f]{64}$/);
  const next = { ...parsed.manifest, capability_flags: {} };
  const [change] = diffManifests(parsed.manifest, next).breaking;
  expect(code).toContain(`change?.message.en; // "${change?.message.en}"`);
  expect(code).toContain(`change?.message.zh; // "${change?.message.zh}"`);
  const second = publishManifest(publishManifest(undefined, text, { agentId: "demo" }), next);
  expect(code).toContain(`second.capability_manifest_version; // ${second.capability_manifest_version}`);
});
