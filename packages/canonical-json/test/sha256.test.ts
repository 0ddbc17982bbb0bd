import { createHash } from "node:crypto";
import { fc, test as property } from "@fast-check/vitest";
