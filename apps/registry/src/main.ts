#!/usr/bin/env node
import { createProgram } from "./program.ts";

process.exitCode = await createProgram(process.env, process.stdout, process.stderr).run(process.argv.slice(2));
