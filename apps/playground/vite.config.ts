import { defaultClientConditions, defineConfig, type UserConfig } from "vite";
import { offlinePlugin } from "./build/offline-plugin.ts";
import { policyPlugin } from "./build/policy-plugin.ts";
import { vectorsPlugin } from "./build/vectors-plugin.ts";

const conditions = ["@agentprint/source", ...defaultClientConditions];

const config: UserConfig = defineConfig({
  // Addresses are relative, so that the folder works at any path.
  base: "./",
  resolve: { conditions },
  worker: { format: "es" },
  build: { target: "es2023", modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: false },
  plugins: [policyPlugin(), vectorsPlugin(), offlinePlugin()],
});

export default config;
