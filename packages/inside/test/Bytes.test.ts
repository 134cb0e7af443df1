import { expect, it } from "vitest"
import { concatBytes } from "../src/Bytes.ts"

it("concatBytes joins arrays in order", () => {
  expect(concatBytes([Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)])).toEqual(Uint8Array.of(1, 2, 3))
  expect(concatBytes([])).toEqual(new Uint8Array(0))
})
