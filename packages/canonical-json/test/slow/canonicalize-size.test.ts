import { runs } from "@agentprint/testing/property-runs";
import { describeSize } from "../canonicalize/size.ts";

describeSize(runs(100_000));
