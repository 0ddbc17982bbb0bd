// Sets its process's clock back by an hour as soon as the folder contains the file `clock-back`.
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
