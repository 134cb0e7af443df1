/**
 * Checks that only `Wire.ts` and `MessageType.ts` contain the header and the type bytes. Tests and independent tools may repeat these
 * bytes.
 */
import { parseSync, Visitor } from "oxc-parser"
import { expect, it } from "vitest"
import * as MessageType from "../../../packages/protocol/src/MessageType.ts"
import { lineAt } from "../src/source.ts"
import { files, read } from "../src/workspace.ts"

const WIRE = ["packages/protocol/src/Wire.ts", "packages/protocol/src/MessageType.ts"]

/**
 * Exceptions in single modules: bytes that have the value of a message type, but a different meaning. `DIGIT_NINE` is an exception in all
 * modules.
 */
const OTHERS: Readonly<Record<string, ReadonlyArray<number>>> = {
  "packages/protocol/src/declarations/info.ts": [0x6c, 0x57, 0x6d, 0x44, 0x69, 0x49],
  "packages/protocol/src/internal/splitHeader.ts": [0x42],
  "packages/emulator/src/fragmentFaults.ts": [0x55]
}
const DIGIT_NINE = 0x39
const SPLIT_BYTE = 0xfe
const SPLIT_LONG = 0xfffffffe

const TYPES = new Set<number>([...Object.values(MessageType), SPLIT_BYTE, SPLIT_LONG])
const HEADER = /\b(?:0xff|255)(?:, *(?:0xff|255)){2}|fill\((?:0xff|255), 0, 4\)/gi

/** The positions in a module's code at which the header or a type byte is written as a number. */
const spelledIn = (file: string): ReadonlyArray<string> => {
  const text = read(file)
  const { comments, program } = parseSync(file, text)
  const places = [...text.matchAll(HEADER)]
    .map(({ index }) => index)
    .filter((at) => !comments.some(({ end, start }) => start <= at && at < end))
  const visitor = new Visitor({
    Literal: ({ raw, start, value }) => {
      const isOther = value === DIGIT_NINE || OTHERS[file]?.includes(Number(value)) === true
      if (typeof value === "number" && raw?.startsWith("0x") === true && TYPES.has(value) && !isOther)
        places.push(start)
    }
  })
  visitor.visit(program)
  return places.map((at) => `${file}:${lineAt(text, at)} ${text.slice(at, at + 12)}`)
}

it("only Wire.ts and MessageType.ts contain the header and the type bytes", () => {
  const sources = files().filter(
    (file) => /^(packages|apps)\/[^/]+\/(src|scripts|bridge)\/.*\.tsx?$/.test(file) && !file.includes("/generated/")
  )
  expect(WIRE.flatMap(spelledIn).length).toBeGreaterThanOrEqual(Object.keys(MessageType).length)
  expect(sources.filter((file) => !WIRE.includes(file)).flatMap(spelledIn)).toEqual([])
})
