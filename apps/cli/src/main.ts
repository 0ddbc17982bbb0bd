#!/usr/bin/env node
import { createProgram } from "./program.ts";
import { reportError } from "./terminal/report-error.ts";

// A reader that went away (`| head`) is not an error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
