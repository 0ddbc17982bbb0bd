import { testSoundness } from "./support/soundness.ts";

testSoundness(150, 75);
