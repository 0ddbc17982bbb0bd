import { describe } from "vitest";
import { testMessages } from "./support/any-message.ts";

describe("as text", () => testMessages("text", 24));
describe("as bytes", () => testMessages("bytes", 87));
describe("as a value", () => testMessages("value", 87));
