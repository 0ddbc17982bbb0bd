import { describe } from "vitest";
import { testMessages } from "../support/any-message.ts";

describe("as text", () => testMessages("text", 8));
describe("as bytes", () => testMessages("bytes", 29));
describe("as a value", () => testMessages("value", 29));
