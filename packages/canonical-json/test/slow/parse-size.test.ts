import { describeSize } from "../parse-json/size.ts";

describeSize(1_000_000);
