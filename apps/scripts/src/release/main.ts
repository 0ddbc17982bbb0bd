/**
 * Releases a copy of the workspace to a registry on this machine, and uses the released packages from there:
 * `pnpm release:dry`.
 *
 * `--all` also uses every package alone, and all of them in every runtime and with every compiler, and releases a
 * second time; `--online` first asks the registries whether the names are free or ours; `--write-sizes` writes the size
 * budgets of the packages.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type LocalRegistry, startRegistry } from "@agentprint/testing/npm-registry/local-registry";
import { killServices } from "@agentprint/testing/service-process";
import { HAS_GO, HAS_PYTHON, HAS_RUST } from "@agentprint/testing/vectors/ports";
import { manifestIn, REPOSITORY } from "../packed-packages.ts";
import { GO_MODULE, RUST_CRATE } from "../publisher.ts";
import { installAlone } from "./command-alone.ts";
import { serveGoModule, useGoModule } from "./go-module.ts";
import { checkOnline } from "./online.ts";
import { runIn } from "./project.ts";
import { checkManifests, readPublished } from "./published.ts";
import { checkWithCompilers, useEachAlone, useRuntimes } from "./runtimes.ts";
import { packCrate, useCrate } from "./rust-crate.ts";
import { releaseAgain, writeWithFirst } from "./second-release.ts";
import { checkSizes } from "./sizes.ts";
import { useInstalled, usePins, useTogether } from "./use-released.ts";
import { copyWorkspace, releaseCopy, type WorkspaceCopy } from "./workspace-copy.ts";

const { values } = parseArgs({
  options: { all: { type: "boolean" }, online: { type: "boolean" }, "write-sizes": { type: "boolean" } },
});
const folder = mkdtempSync(join(tmpdir(), "release-"));
const at = (name: string): string => join(folder, name);

/** Runs a part of the rehearsal, and prints how long it took. */
async function part<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await run();
  console.log(`-- ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return result;
}

async function rehearse(registry: LocalRegistry): Promise<void> {
  const copy = await part("copy", () => copyWorkspace(at("workspace"), registry));
  const versions = await part("version, build and publish", () => releaseCopy(copy));
  const published = await readPublished(registry, versions);
  checkManifests(published);
  const installed = await part("install with npm", () => useInstalled(at("installed"), registry, versions));
  await checkSizes(installed, published, values["write-sizes"] === true);
  await part("the command alone", () => installAlone(at("command"), registry, versions.get("agentprint") as string));
  await part("pins alone", () => usePins(at("pins"), registry, versions));
  const { project, entries } = await part("use all together", () => useTogether(at("together"), registry, versions));
  if (HAS_GO) await part("the Go module by its tag", () => useGoTag(copy));
  else console.log("skipped the Go module: go is not installed");
  if (HAS_RUST) await part("the Rust crate by its package file", () => useRustCrate(copy));
  else console.log("skipped the Rust crate: no cargo here can build it");
  if (HAS_PYTHON) await part("the Python package", () => usePythonPackage());
  else console.log("skipped the Python package: Python 3.10 is not installed");
  if (values.all) {
    await part("each package alone", () => useEachAlone(at("alone"), registry, versions));
    await part("other compilers", () => checkWithCompilers(at("compilers"), project, entries));
    await part("other runtimes", () => useRuntimes(at("runtimes"), project, entries));
    await part("write with the first release", () => writeWithFirst(installed));
    await part("a second release", () => releaseAgain(copy, registry, installed));
  }
}

/** Builds an sdist and a wheel, and uses each in an empty environment, for `port-packages`. */
function usePythonPackage(): void {
  mkdirSync(at("python"));
  const script = join(REPOSITORY, "fixtures/tools/port-packages.ts");
  const words = ["--conditions=@agentprint/source", script, "python"];
  console.log(runIn(at("python"), {})(process.execPath, words).stdout.trimEnd());
}

function useGoTag(copy: WorkspaceCopy): void {
  const { version } = manifestIn(join(copy.folder, "fixtures"));
  mkdirSync(at("go"));
  useGoModule(serveGoModule(join(copy.folder, GO_MODULE), version, at("go")), at("go"));
}

function useRustCrate(copy: WorkspaceCopy): void {
  const source = join(copy.folder, RUST_CRATE);
  cpSync(join(copy.folder, "LICENSE"), join(source, "LICENSE"));
  cpSync(join(copy.folder, "fixtures/vectors"), join(source, "vectors"), { recursive: true });
  useCrate(packCrate(source, at("rust"), { verify: false }), at("rust"));
}

mkdirSync(at("registry"));
const registry = await startRegistry(at("registry"));
try {
  if (values.online && !checkOnline()) process.exitCode = 1;
  await rehearse(registry);
} catch (error) {
  console.log(`Error: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await registry.end();
  killServices();
  rmSync(folder, { recursive: true, force: true });
}
