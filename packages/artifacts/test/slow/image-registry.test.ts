import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf, startProgram } from "@agentprint/testing/programs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askImageRegistry } from "../../src/oci/ask-registry.ts";

const MODULE = "github.com/google/go-containerregistry/cmd/registry@v0.22.1";
const INDEX = "application/vnd.oci.image.index.v1+json";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

let folder: string;
let child: ChildProcess;
let host: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-oci-"));
  outputOf("go", ["install", MODULE], { env: { ...process.env, GOBIN: folder } });
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await new Promise((resolve) => probe.close(resolve));
  host = `127.0.0.1:${port}`;
  child = await startProgram(join(folder, "registry"), ["-port", String(port)], { stdio: "ignore" });
  await vi.waitFor(async () => expect((await fetch(`http://${host}/v2/`)).ok).toBe(true), { timeout: 60_000 });
});
afterAll(async () => {
  const exited = once(child, "exit");
  child.kill();
  await exited;
  rmSync(folder, { recursive: true });
});

const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

async function push(path: string, text: string, type: string): Promise<string> {
  const response = await fetch(`http://${host}/v2/server/${path}`, {
    method: path.startsWith("blobs") ? "POST" : "PUT",
    body: text,
    headers: { "content-type": type },
  });
  expect(response.ok).toBe(true);
  return digestOf(text);
}

/** Pushes an image for two platforms under a tag, and returns the digests. */
async function publish(tag: string, note: string): Promise<{ index: string; files: Record<string, string> }> {
  const files: Record<string, string> = {};
  for (const architecture of ["amd64", "arm64"]) {
    const config = JSON.stringify({ os: "linux", architecture, note });
    await push(`blobs/uploads/?digest=${digestOf(config)}`, config, "application/octet-stream");
    const descriptor = {
      mediaType: "application/vnd.oci.image.config.v1+json",
      digest: digestOf(config),
      size: config.length,
    };
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: descriptor, layers: [] });
    files[`linux/${architecture}`] = await push(`manifests/${digestOf(manifest)}`, manifest, MANIFEST);
  }
  const manifests = Object.entries(files).map(([platform, digest]) => {
    const [os, architecture] = platform.split("/");
    return { mediaType: MANIFEST, digest, size: 1, platform: { os, architecture } };
  });
  const text = JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests });
  return { index: await push(`manifests/${tag}`, text, INDEX), files };
}

test("a real registry gives the digest of the index and of each platform, and another one when the tag is moved", async () => {
  const first = await publish("1.0.0", "theirs");
  expect(await askImageRegistry(`${host}/server`, "1.0.0")).toEqual({ integrity: first.index, files: first.files });
  const [amd64 = ""] = Object.values(first.files);
  expect(await askImageRegistry(`${host}/server`, amd64)).toEqual({ integrity: amd64 });
  const moved = await publish("1.0.0", "evil");
  expect((await askImageRegistry(`${host}/server`, "1.0.0")).integrity).toBe(moved.index);
  expect(moved.index).not.toBe(first.index);
  expect(await askImageRegistry(`${host}/server`, first.index)).toEqual({ integrity: first.index, files: first.files });
});

test("an image that is not there is not found, and a registry that does not answer is an error", async () => {
  await expect(askImageRegistry(`${host}/server`, "9.9.9")).rejects.toMatchObject({ code: "not-found" });
  await expect(askImageRegistry("127.0.0.1:1/server", "1.0.0")).rejects.toMatchObject({ code: "no-answer" });
});
