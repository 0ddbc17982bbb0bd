export { type Anchor, anchorIn } from "./anchors.ts";
export { placesOfProblems } from "./places-of-problems.ts";
export { asAltered, type Row, type RowSort, rowOf, type Tone } from "./row.ts";
export { elapsed, Timeline } from "./timeline.ts";
