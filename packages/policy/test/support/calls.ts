import { type CallVerdict, decideCall, type Policy, PolicyError, parsePolicy } from "../../src/index.ts";
import { RULES } from "./rules.ts";

/** The place of the arguments in the policy of {@link policyOf}. */
export const AT = "/servers/files/calls/read/arguments";
/** A policy about calls of one tool. */
export const policyOf = (call: object): Policy => parsePolicy({ servers: { files: { calls: { read: call } } } }, RULES);
/** A schema of arguments with one member. */
export const ofPath = (schema: object): object => ({
  type: "object",
  properties: { path: schema },
  required: ["path"],
});
export const within = (...roots: string[]): object => ({ type: "string", "path-within": roots });
export const toHost = (...hosts: string[]): object => ({ type: "string", "url-host": hosts });
/** The decision of a policy on a call whose one argument is a value. */
export const judge = (schema: object, value: unknown): CallVerdict =>
  decideCall(policyOf({ arguments: ofPath(schema) }), {
    server: "files",
    tool: "read",
    arguments: { path: value as string },
  });

/** The error for a refused value. */
export function refused(act: () => unknown): { code: string; path: string; message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error("accepted");
}
