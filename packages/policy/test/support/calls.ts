import { type CallVerdict, decideCall, type Policy, PolicyError, parsePolicy } from "../../src/index.ts";
import { RULES } from "./rules.ts";

/** The place of the arguments in a policy from {@link policyOf}. */
export const AT = "/servers/files/calls/read/arguments";
/** Returns a policy about calls of one tool. */
export const policyOf = (call: object): Policy => parsePolicy({ servers: { files: { calls: { read: call } } } }, RULES);
/** Returns a schema for arguments with one member. */
export const ofPath = (schema: object): object => ({
  type: "object",
  properties: { path: schema },
  required: ["path"],
});
export const within = (...roots: string[]): object => ({ type: "string", "path-within": roots });
export const toHost = (...hosts: string[]): object => ({ type: "string", "url-host": hosts });
/** Returns a policy's decision about a call whose only argument is the given value. */
export const judge = (schema: object, value: unknown): CallVerdict =>
  decideCall(policyOf({ arguments: ofPath(schema) }), {
    server: "files",
    tool: "read",
    arguments: { path: value as string },
  });

/** Returns the error for a refused value. */
export function refused(act: () => unknown): { code: string; path: string; message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error("accepted");
}
