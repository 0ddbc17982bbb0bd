import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "@agentprint/testing/programs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorAddress } from "../../apps/cli/src/terminal/page-address.ts";
import { REPOSITORY } from "./examples.ts";

const MANIFESTS = globSync(["*/package.json", "*/*/package.json"], { cwd: REPOSITORY }).sort();
const GO = "fixtures/ports/go";
const PYTHON = "fixtures/ports/python/pyproject.toml";
const RUST = "fixtures/ports/rust/Cargo.toml";
const read = (path: string, root = REPOSITORY): string => readFileSync(join(root, path), "utf8");
const manifest = (path: string, root = REPOSITORY) => JSON.parse(read(path, root)) as Record<string, unknown>;
const published = MANIFESTS.filter((path) => manifest(path)["private"] !== true);

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "publisher-"));
  for (const path of [
    "package.json",
    "apps/scripts/src",
    "docs/ci.md",
    "apps/cli/templates",
    GO,
    PYTHON,
    RUST,
    ...MANIFESTS,
  ]) {
    cpSync(join(REPOSITORY, path), join(root, path), { recursive: true });
  }
  mkdirSync(join(root, "node_modules/@agentprint"), { recursive: true });
  symlinkSync(join(REPOSITORY, "packages/testing"), join(root, "node_modules/@agentprint/testing"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the workspace's `release` script where only Node can be found, so that no step after the refusal can run. */
function release(publisher: unknown): { status: number | null; stderr: string } {
  writeFileSync(join(root, "package.json"), JSON.stringify({ ...manifest("package.json"), publisher }));
  const script = (manifest("package.json")["scripts"] as { release: string }).release;
  const env = { PATH: dirname(process.execPath) };
  return runProgram("/bin/sh", ["-c", script.replace("pnpm build", "exit 99")], { cwd: root, env });
}

const sources = (): string =>
  [PYTHON, RUST, ...MANIFESTS, ...globSync(`${GO}/**/*.{go,mod,md}`, { cwd: root }).sort()]
    .map((path) => read(path, root))
    .join("");

describe("a release", () => {
  test.each([
    ["null", { repository: null }],
    ["absent", {}],
    ["empty", { repository: "" }],
    ["no URL", { repository: "somebody/agentprint" }],
    ["not of https", { repository: "http://git.somebody.net/somebody/agentprint" }],
    ["of a domain that nobody owns", { repository: "https://agentprint.invalid/somebody/agentprint" }],
    ["of an example", { repository: "https://example.com/somebody/agentprint" }],
    ["of an account alone", { repository: "https://git.somebody.net/somebody" }],
    ["no object", "repository"],
  ])("refuses to run with a setting that is %s, and writes nothing", (_, setting) => {
    const before = sources();
    const { status, stderr } = release(setting);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("publisher.repository") });
    expect(sources()).toBe(before);
  });

  test("writes its repository into every package, and changes nothing when it runs again", () => {
    const repository = "https://git.somebody.net/somebody/agentprint";
    expect(release({ repository }).status).toBe(99);
    for (const path of published) {
      const directory = dirname(path);
      expect(manifest(path, root)).toEqual({
        ...manifest(path),
        repository: { type: "git", url: `git+${repository}.git`, directory },
        homepage: `${repository}/tree/HEAD/${directory}#readme`,
        bugs: `${repository}/issues`,
      });
    }
    expect(read(PYTHON, root)).toContain(`license = "MIT"\nurls.Repository = "${repository}"\n`);
    expect(read(RUST, root)).toContain(`license = "MIT"\nrepository = "${repository}"\n`);
    const command = JSON.parse(read("apps/cli/package.json", root)) as { name: string; repository: { url: string } };
    const address = errorAddress({ name: "CliError", code: "usage" }, command);
    expect(address).toBe(`${repository}/blob/HEAD/docs/ERRORS.md#clierror-usage`);
    const path = "git.somebody.net/somebody/agentprint/fixtures/ports/go";
    expect(read(`${GO}/go.mod`, root)).toMatch(new RegExp(`^module ${path}\n`));
    const imports = [...sources().matchAll(/^(?:import |\t)"([^"]+\.[^"]+)"$/gm)].map(([, name]) => name);
    expect(imports.length).toBeGreaterThan(40);
    expect(imports.filter((name) => !name?.startsWith(`${path}/`))).toEqual([]);

    const written = sources();
    expect(release({ repository }).status).toBe(99);
    expect(sources()).toBe(written);
  });
});

describe("in the repository", () => {
  test("every package.json has keywords", () => {
    expect(published.length).toBeGreaterThan(12);
    for (const path of ["package.json", ...MANIFESTS]) {
      expect(manifest(path)["keywords"], path).toEqual(expect.arrayContaining([expect.stringMatching(/^[a-z0-9-]+$/)]));
    }
  });

  test("links point only to names that the setting owns, and to names that cannot be owned", () => {
    const { repository } = manifest("package.json")["publisher"] as { repository: string | null };
    const owned = typeof repository === "string" ? [repository] : [];
    for (const path of published) {
      const { repository: source, homepage, bugs } = manifest(path) as Record<string, unknown>;
      for (const link of [(source as { url?: string } | undefined)?.url, homepage, bugs]) {
        if (link !== undefined) expect(owned.some((url) => String(link).includes(url))).toBe(true);
      }
    }
    const modules = globSync("{fixtures,packages}/**/go.mod", { cwd: REPOSITORY, exclude: ["**/node_modules/**"] });
    expect(modules.length).toBeGreaterThan(1);
    for (const path of modules) {
      const [, name = ""] = /^module (\S+)$/m.exec(read(path)) ?? [];
      const [domain = ""] = name.split("/");
      const isNobodys = !domain.includes(".") || domain.endsWith(".invalid");
      expect(isNobodys || owned.some((url) => `https://${name}`.startsWith(url)), name).toBe(true);
    }
  });
});
