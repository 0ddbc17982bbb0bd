import type { Plugin } from "vite";
import { META_POLICY } from "./policies.ts";

/** Writes the page's policy into its head, before anything to which the policy applies. */
export function policyPlugin(): Plugin {
  const attrs = { "http-equiv": "Content-Security-Policy", content: META_POLICY };
  return {
    name: "agentprint-policy",
    apply: "build",
    transformIndexHtml: () => [{ tag: "meta", attrs, injectTo: "head-prepend" }],
  };
}
