export { driftToReport, type LockPlace } from "./drift-report.ts";
