#!/usr/bin/env node
import { createProgram } from "./program.ts";
import { guardStream } from "./terminal/hidden-values.ts";
import { reportError } from "./terminal/report-error.ts";

// A reader that went away (`| head`) changes nothing about the answer: the command goes on to its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  guardStream(stream);
}

// Node's own exit code for an error that nobody caught is 1, which would say that a difference was found.
process.on("uncaughtException", (error) => process.exit(reportError(error)));

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
}
