// Runs in its own process, traps everything that a pure module must not touch, and then imports the entry. A trap
// springs only when code from this workspace or from zod is on the stack, because the module loader itself reads files.
import childProcess from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import fsPromises from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const violations: string[] = [];
const write = process.stdout.write.bind(process.stdout);
const ours = /\/(packages\/(trail|canonical-json)\/(src|dist)|zod)\//;

function spring(what: string): void {
  if (ours.test(new Error(what).stack ?? "")) violations.push(what);
}

function trapFunctions(name: string, target: object): void {
  for (const [key, value] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    const original = value.value as unknown;
    if (typeof original !== "function" || !value.writable) continue;
    const trapped = function (this: unknown, ...args: unknown[]): unknown {
      spring(`${name}.${key}`);
      return new.target ? Reflect.construct(original, args) : Reflect.apply(original, this, args);
    };
    Object.defineProperty(target, key, { ...value, value: Object.setPrototypeOf(trapped, original) });
  }
}

for (const [name, target] of Object.entries({ fs, fsPromises, http, https, net, childProcess, console })) {
  trapFunctions(name, target);
}
crypto.randomUUID = () => {
  spring("crypto.randomUUID");
  return "0-0-0-0-0";
};
globalThis.crypto.randomUUID = crypto.randomUUID;
globalThis.fetch = async () => {
  spring("fetch");
  return Response.error();
};
globalThis.Date = new Proxy(Date, {
  construct(target, args, newTarget) {
    spring("new Date");
    return Reflect.construct(target, args, newTarget);
  },
  get(target, key, receiver) {
    spring(`Date.${String(key)}`);
    return Reflect.get(target, key, receiver);
  },
});
process.env = new Proxy(process.env, {
  get(target, key) {
    spring(`process.env.${String(key)}`);
    return Reflect.get(target, key);
  },
});
syncBuiltinESMExports();

const subject = (await import(process.argv[2] ?? "../../src/index.ts")) as Record<string, unknown>;
write(JSON.stringify({ violations, exports: Object.keys(subject) }));
