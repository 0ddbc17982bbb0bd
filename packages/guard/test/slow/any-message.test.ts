import { describe } from "vitest";
import { testMessages } from "../support/any-message.ts";

describe("as text", () => testMessages("text", 2));
describe("as bytes", () => testMessages("bytes", 7));
describe("as a value", () => testMessages("value", 7));
