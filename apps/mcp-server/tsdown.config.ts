import { packageConfig } from "../../tsdown.config.ts";

export default { ...packageConfig(), target: "node22" };
