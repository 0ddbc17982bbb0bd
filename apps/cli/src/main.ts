#!/usr/bin/env node
import { enableCompileCache } from "./run/compile-cache.ts";
import { printVersion } from "./run/version.ts";

if (!printVersion(process.argv.slice(2))) {
  // Node caches the compiled code only of modules that are imported after this call.
  enableCompileCache(process.env);
  const { runProcess } = await import("./run-process.ts");
  await runProcess();
}
