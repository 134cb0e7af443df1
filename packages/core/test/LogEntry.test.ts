import { describe, expect, it } from "@effect/vitest"
import { fromHex } from "@sourcewire/protocol"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { formatTime, openDatagram, parseHead, readLine } from "../src/LogEntry.ts"
import { seededRandom } from "../src/internal/seededRandom.ts"

const LINE = 'L 06/28/2025 - 08:42:47: World triggered "Round_Start"'
const TIME = { year: 2025, month: 6, day: 28, hour: 8, minute: 42, second: 47 }

const datagram = (latin1: string): Uint8Array =>
  Uint8Array.from(`\xff\xff\xff\xff${latin1}`, (character) => character.charCodeAt(0))

describe("parseHead", () => {
  it.each([
    [LINE, TIME, 'World triggered "Round_Start"'],
    [`${LINE}\n`, TIME, 'World triggered "Round_Start"'],
    ["L 06/28/2025 - 08:42:47.123 - Log file started", { ...TIME, millisecond: 123 }, "Log file started"],
    ["L 06/28/2025 - 08:42:47:", TIME, ""],
    ["L 06/28/2025 - 08:42:47: ", TIME, ""],
    ["L 06/28/2025 - 08:42:47:  two blanks", TIME, " two blanks"],
    [
      "L 12/31/1999 - 23:59:60: a leap second",
      { ...TIME, year: 1999, month: 12, day: 31, hour: 23, minute: 59, second: 60 },
      "a leap second"
    ],
    ["L 13/28/2025 - 08:42:47: no such month", undefined, "L 13/28/2025 - 08:42:47: no such month"],
    ["L 06/28/2025 - 24:42:47: no such hour", undefined, "L 06/28/2025 - 24:42:47: no such hour"],
    ["L 6/28/2025 - 08:42:47: one digit", undefined, "L 6/28/2025 - 08:42:47: one digit"],
    ["World triggered", undefined, "World triggered"],
    ["", undefined, ""]
  ])("%j", (line, time, text) => {
    expect(parseHead(line)).toEqual({ ...(time === undefined ? {} : { time }), text })
  })

  it("writes the time so that it sorts, without a zone", () => {
    expect(formatTime(TIME)).toBe("2025-06-28T08:42:47")
    expect(formatTime({ ...TIME, millisecond: 7 })).toBe("2025-06-28T08:42:47.007")
  })
})

describe("log datagrams", () => {
  it.each([
    ["Source", `R${LINE}\n\0`, "source", undefined],
    ["Source without NUL", `R${LINE}`, "source", undefined],
    ["GoldSource", `log ${LINE}\n\0`, "goldsource", undefined],
    ["a number as secret", `S12345${LINE}\n\0`, "source", "12345"],
    ["a word as secret", `Shush-hush${LINE}\n\0`, "source", "hush-hush"],
    ["an empty secret", `S${LINE}\n\0`, "source", ""]
  ])("%s", (_, text, format, secret) => {
    const opened = openDatagram(datagram(text))!
    expect(opened.secret === undefined ? undefined : new TextDecoder().decode(opened.secret)).toBe(secret)
    const record = readLine(opened)
    expect(record).toMatchObject({ format, time: TIME, text: 'World triggered "Round_Start"' })
    expect(record.line.trimEnd()).toBe(LINE)
    expect(JSON.stringify(record)).not.toContain("hush")
  })

  it("reads odd lines as text", () => {
    expect(readLine(openDatagram(datagram("R\0\0"))!)).toMatchObject({ text: "", line: "" })
    expect(readLine(openDatagram(datagram("S42 says hello"))!)).toMatchObject({ text: " says hello" })
    expect(readLine(openDatagram(datagram("R\xe9t\xe9"))!, "latin1").text).toBe("été")
  })

  it.each(["", "I", "lhello", "L 06/28/2025", "log", "Q"])("knows %j as none of them", (text) => {
    expect(openDatagram(datagram(text))).toBeUndefined()
  })

  it("never throws, whatever arrives", () => {
    const random = seededRandom(11)
    const heads = ["R", "S", "log ", "S12L ", "RL 06/28/2025 - "]
    for (let i = 0; i < 3000; i++) {
      const head = heads[Math.floor(random() * heads.length)]!
      const tail = Array.from({ length: Math.floor(random() * 60) }, () => String.fromCharCode(random() * 256)).join("")
      const opened = openDatagram(datagram(head + tail).subarray(0, Math.floor(random() * 70)))
      if (opened !== undefined) expect(readLine(opened).text).toBeTypeOf("string")
    }
  })
})

interface Capture {
  readonly id: string
  readonly query: string
  readonly packets: ReadonlyArray<string>
  readonly expected: { readonly line: string; readonly secret?: string } | null
}

// Not ours to publish, so they are read where they are to be had.
const file = fileURLToPath(new URL("../../../../shared/vectors/captures.jsonl", import.meta.url))
const captures = (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])
  .map((line) => JSON.parse(line) as Capture)
  .filter(({ query }) => query === "log")

describe.runIf(captures.length > 0)("captures of log lines", () => {
  it.each(captures.map((capture) => [capture.id, capture] as const))("%s", (_, { expected, packets }) => {
    const opened = openDatagram(fromHex(packets[0]!)!)!
    expect(readLine(opened).line.trimEnd()).toBe(expected?.line ?? "")
    if (expected?.secret !== undefined) expect(new TextDecoder().decode(opened.secret)).toBe(expected.secret)
  })
})
