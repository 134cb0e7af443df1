import { describe, expect, it } from "@effect/vitest"
import { fromHex } from "@sourcewire/protocol"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { ReadLineOptions } from "../../src/log/LogEntry.ts"
import { formatTime, openDatagram, parseHead, readLine } from "../../src/log/LogEntry.ts"
import { seededRandom } from "../../src/testing/Testing.ts"

const LINE = 'L 06/28/2025 - 08:42:47: World triggered "Round_Start"'
const TIME = { year: 2025, month: 6, day: 28, hour: 8, minute: 42, second: 47 }

const datagram = (latin1: string): Uint8Array =>
  Uint8Array.from(`\xff\xff\xff\xff${latin1}`, (character) => character.charCodeAt(0))

describe("parseHead and formatTime", () => {
  it.each([
    [LINE, TIME, 'World triggered "Round_Start"'],
    [`${LINE}\n`, TIME, 'World triggered "Round_Start"'],
    ["L 06/28/2025 - 08:42:47.123 - Log file started", { ...TIME, millisecond: 123 }, "Log file started"],
    // A line of Xash3D does not begin with `L `.
    ['06/28/2025 - 08:42:47: World triggered "Round_Start"', TIME, 'World triggered "Round_Start"'],
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
    ["L 00/28/2025 - 08:42:47: no such time", undefined, "L 00/28/2025 - 08:42:47: no such time"],
    ["L 06/00/2025 - 08:42:47: no such time", undefined, "L 06/00/2025 - 08:42:47: no such time"],
    ["L 06/32/2025 - 08:42:47: no such time", undefined, "L 06/32/2025 - 08:42:47: no such time"],
    ["L 06/28/2025 - 08:60:47: no such time", undefined, "L 06/28/2025 - 08:60:47: no such time"],
    ["L 06/28/2025 - 08:42:61: no such time", undefined, "L 06/28/2025 - 08:42:61: no such time"],
    [
      "L 01/31/2025 - 23:59:00: the last hour",
      { ...TIME, month: 1, day: 31, hour: 23, minute: 59, second: 0 },
      "the last hour"
    ],
    ["L 12/01/2025 - 00:00:00: the first", { ...TIME, month: 12, day: 1, hour: 0, minute: 0, second: 0 }, "the first"],
    [`${LINE}\r\n`, TIME, 'World triggered "Round_Start"'],
    [`say ${LINE}`, undefined, `say ${LINE}`],
    ["L 06/28/2025 - 08:42:47.1234: too fine", undefined, "L 06/28/2025 - 08:42:47.1234: too fine"],
    ["", undefined, ""]
  ])(
    "parseHead separates the time from the text, or returns only the text if the time is missing or invalid: %j",
    (line, time, text) => {
      expect(parseHead(line)).toEqual({ ...(time === undefined ? {} : { time }), text })
    }
  )

  it("formatTime returns a sortable time without a time zone", () => {
    expect(formatTime(TIME)).toBe("2025-06-28T08:42:47")
    expect(formatTime({ ...TIME, millisecond: 7 })).toBe("2025-06-28T08:42:47.007")
    expect(formatTime({ year: 33, month: 1, day: 2, hour: 3, minute: 4, second: 5 })).toBe("0033-01-02T03:04:05")
  })

  it.each(["year", "month", "day", "hour", "minute", "second", "millisecond"])(
    "formatTime throws if the %s is not a whole number of at least 0",
    (name) => {
      expect(formatTime({ ...TIME, [name]: 0 })).toBeTypeOf("string")
      for (const wrong of [-1, 0.5, "1"]) {
        expect(() => formatTime({ ...TIME, [name]: wrong })).toThrow(`${name} must be a whole number of 0 or more`)
      }
    }
  )
})

describe("openDatagram and readLine", () => {
  it.each([
    ["Source", `R${LINE}\n\0`, "source", undefined],
    ["Source without NUL", `R${LINE}`, "source", undefined],
    ["GoldSource", `log ${LINE}\n\0`, "goldsource", undefined],
    ["Xash3D", `log ${LINE.slice(2)}\n\0`, "goldsource", undefined],
    ["a number as secret", `S12345${LINE}\n\0`, "source", "12345"],
    ["a word as secret", `Shush-hush${LINE}\n\0`, "source", "hush-hush"],
    ["an empty secret", `S${LINE}\n\0`, "source", ""],
    ["a secret that looks like a line", `SL L x L 1${LINE}\n\0`, "source", "L L x L 1"]
  ])("read the secret and the line of a log datagram: %s", (name, text, format, secret) => {
    const opened = openDatagram(datagram(text))!
    expect(opened.secret === undefined ? undefined : new TextDecoder().decode(opened.secret)).toBe(secret)
    const record = readLine(opened)
    expect(record).toMatchObject({ format, time: TIME, text: 'World triggered "Round_Start"' })
    expect(record.line.trimEnd()).toBe(name === "Xash3D" ? LINE.slice(2) : LINE)
    expect(JSON.stringify(record)).not.toContain("hush")
  })

  it("return the whole line as the text if the line contains no time", () => {
    expect(readLine(openDatagram(datagram("R\0\0"))!)).toMatchObject({ text: "", line: "" })
    expect(readLine(openDatagram(datagram("S42 says hello"))!)).toMatchObject({ text: " says hello" })
    expect(readLine(openDatagram(datagram(`S42\0${LINE}`))!)).toMatchObject({ text: "" })
    expect(readLine(openDatagram(datagram("S09/:"))!)).toMatchObject({ text: "/:" })
    expect(readLine(openDatagram(datagram("R\xe9t\xe9"))!, { encoding: "latin1" }).text).toBe("été")
  })

  it.each(["", "I", "lhello", "L 06/28/2025", "log", "Q"])("openDatagram returns undefined for %j", (text) => {
    expect(openDatagram(datagram(text))).toBeUndefined()
  })

  it("never throw for random bytes", () => {
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

describe("RCON passwords in log lines", () => {
  const STARS = "********"
  const read = (text: string, options?: ReadLineOptions) =>
    readLine(openDatagram(datagram(`log L 06/28/2025 - 08:42:47: ${text}\n\0`))!, options)
  const from = 'from "127.0.0.1:50000"'

  it.each([
    [`Rcon: "rcon 123 "secret" status" ${from}`, `Rcon: "rcon 123 "${STARS}" status" ${from}`],
    [`Rcon: "rcon 123 "a secret" status" ${from}`, `Rcon: "rcon 123 "${STARS}" status" ${from}`],
    [`Rcon: "rcon 123 secret status" ${from}`, `Rcon: "rcon 123 ${STARS} status" ${from}`],
    [`Rcon: "rcon 123 secret" ${from}`, `Rcon: "rcon 123 ${STARS}" ${from}`],
    [`Rcon: "rcon 123 "" status" ${from}`, `Rcon: "rcon 123 "${STARS}" status" ${from}`],
    [`Bad Rcon: "rcon 123 "guess" status" ${from}`, `Bad Rcon: "rcon 123 "${STARS}" status" ${from}`],
    [`Bad Rcon: "rcon secret status" ${from}`, `Bad Rcon: "rcon ${STARS} status" ${from}`],
    [`Bad Rcon: "rcon" ${from}`, `Bad Rcon: "rcon" ${from}`],
    [`Bad Rcon: "rcon 123 "unfinished" ${from}`, `Bad Rcon: "rcon 123 "${STARS}" ${from}`],
    [
      `Rcon: "rcon 123 "secret" rcon_password other" ${from}`,
      `Rcon: "rcon 123 "${STARS}" rcon_password ${STARS}" ${from}`
    ],
    [`Rcon: "rcon 123 "secret" rcon_password" ${from}`, `Rcon: "rcon 123 "${STARS}" rcon_password" ${from}`],
    [
      'rcon from "127.0.0.1:50000": command "rcon_password "other""',
      `rcon from "127.0.0.1:50000": command "rcon_password "${STARS}""`
    ],
    ['Server cvar "rcon_password" = "secret"', `Server cvar "rcon_password" = "${STARS}"`],
    ['rcon from "127.0.0.1:50000": command "status"', 'rcon from "127.0.0.1:50000": command "status"'],
    [
      '"Zoë<1><STEAM_0:1:1><>" say "no secret here, rcon is fun"',
      '"Zoë<1><STEAM_0:1:1><>" say "no secret here, rcon is fun"'
    ]
  ])("are masked, and other text is unchanged: %j", (text, shown) => {
    const utf8 = Buffer.from(text).toString("latin1")
    expect(read(utf8)).toMatchObject({ text: shown, line: `L 06/28/2025 - 08:42:47: ${shown}\n` })
    expect(read(utf8, { showPasswords: true }).text).toBe(text)
  })

  it("are masked in lines of Xash3D, even if the password is a number", () => {
    // HLDS logs the challenge, a number, before the password. Xash3D logs no challenge, so a number after `rcon` is the password itself.
    const xash = (text: string) => readLine(openDatagram(datagram(`log 06/28/2025 - 08:42:47: ${text}\n\0`))!).text
    expect(xash(`Rcon: "rcon "secret" status" ${from}`)).toBe(`Rcon: "rcon "${STARS}" status" ${from}`)
    expect(xash(`Rcon: "rcon 1234 status" ${from}`)).toBe(`Rcon: "rcon ${STARS} status" ${from}`)
  })

  it("are masked in `lineHex` if the line is not valid in the given encoding", () => {
    const { lineHex, text } = read(`Rcon: "rcon 1 "secret" say \xff\xfe" ${from}`, { encoding: "utf-8" })
    expect(text).toContain(STARS)
    expect(lineHex).toBeDefined()
    expect(lineHex).not.toContain(Buffer.from("secret").toString("hex"))
  })
})

interface Capture {
  readonly id: string
  readonly query: string
  readonly packets: ReadonlyArray<string>
  readonly expected: { readonly line: string; readonly secret?: string } | null
}

// The captures must not be published, so their file is not in the repository. These tests run only if the file is present.
const file = fileURLToPath(new URL("../../../../../shared/vectors/captures.jsonl", import.meta.url))
const captures = (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])
  .map((line) => JSON.parse(line) as Capture)
  .filter(({ query }) => query === "log")

describe.runIf(captures.length > 0)("captures of log lines", () => {
  it.each(captures.map((capture) => [capture.id, capture] as const))(
    "contain the expected line and secret: %s",
    (_, { expected, packets }) => {
      const opened = openDatagram(fromHex(packets[0]!)!)!
      expect(readLine(opened).line.trimEnd()).toBe(expected?.line ?? "")
      if (expected?.secret !== undefined) expect(new TextDecoder().decode(opened.secret)).toBe(expected.secret)
    }
  )
})

describe("an invalid argument", () => {
  const plain = datagram(`R${LINE}\0`)
  it.each<readonly [string, () => unknown, RegExp]>([
    ["line", () => parseHead(5 as never), /^line must be a text/],
    ["time", () => formatTime(null as never), /^time must be/],
    ["options", () => readLine({ format: "source", plain }, 5 as never), /^options must be/],
    ["datagram", () => readLine(null as never), /^datagram must be/],
    [
      "plain",
      () => readLine({ format: "source", plain: "x" as never }),
      /^plain must be a datagram, as returned by openDatagram/
    ]
  ])("causes an error that names the argument: %s", (option, call, message) => {
    expect(call).toThrow(expect.objectContaining({ option, message: expect.stringMatching(message) }))
  })
})

describe("a log line", () => {
  it.each(["La34", "x 34", "L 3x", "12345"])("begins where the secret %j ends", (secret) => {
    const opened = openDatagram(datagram(`S${secret}${LINE}\n\0`))!
    expect(new TextDecoder().decode(opened.secret)).toBe(secret)
    expect(opened.plain).toEqual(datagram(`R${LINE}\n\0`))
  })

  it("is decoded with the given encoding, and has no `lineHex` if its bytes can be restored from the decoded text", () => {
    const line = (encoding?: ReadLineOptions["encoding"]) =>
      readLine(openDatagram(datagram(`R${LINE}\xcf\0`))!, encoding === undefined ? {} : { encoding })
    expect(line("windows-1251").text).toMatch(/П$/)
    expect(line("windows-1252").text).toMatch(/Ï$/)
    expect(line("windows-1252")).not.toHaveProperty("lineHex")
    expect(Object.keys(line("windows-1252"))).not.toContain("lineHex")
  })

  it("may contain a line break, but the line break at the end is removed from the text", () =>
    expect(parseHead("one\ntwo\r\n")).toEqual({ text: "one\ntwo" }))

  it("ends with a mask in quotes if the line is truncated in the middle of a quoted password", () => {
    const { text } = readLine(openDatagram(datagram(`RL 06/28/2025 - 08:42:47: Rcon: "rcon 123 "secr`))!)
    expect(text).toBe('Rcon: "rcon 123 "********"')
  })
})
