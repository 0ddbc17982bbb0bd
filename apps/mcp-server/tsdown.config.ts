import { packageConfig } from "../../tsdown.config.ts";

const { deps, ...config } = packageConfig();

// A package that is not published becomes part of the server.
export default { ...config, deps: { ...deps, onlyBundle: ["@agentprint/http-bounds"] }, target: "node22" };
