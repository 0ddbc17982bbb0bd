import { runs } from "../../../../fixtures/tools/property-runs.ts";
import { describeSize } from "../canonicalize/size.ts";

describeSize(runs(100_000));
