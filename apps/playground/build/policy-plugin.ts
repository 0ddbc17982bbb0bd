import type { Plugin } from "vite";
import { META_POLICY } from "./policies.ts";

/** Writes the policy of the page into its head, before anything that the policy is about. */
export function policyPlugin(): Plugin {
  const attrs = { "http-equiv": "Content-Security-Policy", content: META_POLICY };
  return {
    name: "agentprint-policy",
    apply: "build",
    transformIndexHtml: () => [{ tag: "meta", attrs, injectTo: "head-prepend" }],
  };
}
