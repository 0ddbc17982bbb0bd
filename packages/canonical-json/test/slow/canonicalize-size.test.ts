import { describeSize } from "../canonicalize/size.ts";

describeSize(1_000_000);
