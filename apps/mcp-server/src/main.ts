#!/usr/bin/env node
import { createProgram } from "./program.ts";

process.exitCode = await createProgram(process).run(process.argv.slice(2));
