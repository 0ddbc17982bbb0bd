import { runs } from "@agentprint/testing/property-runs";
import { describeSize } from "../parse-json/size.ts";

describeSize(runs(100_000));
