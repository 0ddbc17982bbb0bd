// Sets the clock of the process that loads it back by an hour, as soon as `clock-back` is in its folder.
import { existsSync } from "node:fs";

const Real = Date;
const now = () => Real.now() - (existsSync("clock-back") ? 3_600_000 : 0);
globalThis.Date = class extends Real {
  constructor(...args) {
    super(...(args.length > 0 ? args : [now()]));
  }

  static now() {
    return now();
  }
};
