import { runs } from "../../../../fixtures/tools/property-runs.ts";
import { describeSize } from "../parse-json/size.ts";

describeSize(runs(100_000));
