import { manifestOf, toolOf } from "@agentprint/testing/manifest/manifests";
import { expect, test } from "vitest";
import { hashManifest, ManifestError, publishManifest, publishResponse } from "../src/index.ts";

function refusal(run: () => unknown): ManifestError {
  try {
    run();
  } catch (error) {
    if (error instanceof ManifestError) return error;
    throw error;
  }
  throw new Error("accepted");
}

test("versions start at 1 and rise by 1, also for an identical manifest; a refused manifest consumes none", () => {
  const first = publishManifest(null, manifestOf(), { agentId: "01906abc" });
  expect(() => publishManifest(first, { ...manifestOf(), tools: 1 })).toThrow(ManifestError);
  const second = publishManifest(first, JSON.stringify(manifestOf()));
  const third = publishManifest(second, manifestOf({ tools: [toolOf("read_file")] }));
  expect([first, second, third].map((each) => each.capability_manifest_version)).toEqual([1, 2, 3]);
  expect(second.breaking_changes).toEqual([]);
  expect(publishResponse(third)).toEqual({
    agent_id: "01906abc",
    capability_manifest_version: 3,
    capability_manifest_hash: hashManifest(third.manifest),
    breaking_changes: [expect.objectContaining({ kind: "tool_removed", tool: "send" })],
  });
  expect(publishResponse(publishManifest(undefined, manifestOf()))).not.toHaveProperty("agent_id");
});

test("the error carries every issue and the status of the answer", () => {
  const large = refusal(() => publishManifest(undefined, " ".repeat(600_000)));
  expect([large.code, large.status]).toEqual(["MANIFEST_TOO_LARGE", 413]);
  const invalid = refusal(() => publishManifest(undefined, { ...manifestOf(), a: 1, b: 2 }));
  expect([invalid.code, invalid.path, invalid.status, invalid.issues.length]).toEqual(["UNKNOWN_FIELD", "/a", 422, 2]);
});

test.each([
  ["version", { capability_manifest_version: 0 }, "/capability_manifest_version"],
  ["version", { capability_manifest_version: 1.5 }, "/capability_manifest_version"],
  ["version", { capability_manifest_version: Number.MAX_SAFE_INTEGER }, "/capability_manifest_version"],
  ["hash", { capability_manifest_hash: "9f86d081" }, "/capability_manifest_hash"],
  ["manifest", { manifest: { ...manifestOf(), tools: 1 } as never }, "/manifest/tools"],
])("an invalid previous %s is refused", (_name, change, path) => {
  const previous = { ...publishManifest(undefined, manifestOf()), ...change };
  expect(refusal(() => publishManifest(previous, manifestOf()))).toMatchObject({ code: "INVALID_PREVIOUS", path });
});
