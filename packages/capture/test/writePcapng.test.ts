import { fromHex, toHex } from "@sourcewire/protocol"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"
import { CaptureReader } from "../src/CaptureReader.ts"
import { type WrittenDatagram, writePcapng } from "../src/writePcapng.ts"

const tshark = externalProgram("tshark", "tshark")

const datagrams: ReadonlyArray<WrittenDatagram> = [
  {
    bytes: fromHex("ffffffff55ffffffff")!,
    timeMs: 1_795_248_900_123.456,
    from: "198.51.100.9:50000",
    to: "192.0.2.1:27015"
  },
  {
    bytes: fromHex("ffffffff4100000000")!,
    timeMs: 1_795_248_900_150,
    from: "192.0.2.1:27015",
    to: "198.51.100.9:50000",
    comments: ["note: The challenge is 0 — “valid”.", "a second comment"]
  },
  { bytes: fromHex("ffffffff57")!, timeMs: 1_795_248_900_160, from: "[2001:db8::7]:40000", to: "[::1]:27015" },
  { bytes: new Uint8Array(3001).fill(7), timeMs: 1_795_248_900_170, from: "this page", to: "127.0.0.1:27015" }
]

const file = (...args: Parameters<typeof writePcapng>): Uint8Array => Buffer.concat(writePcapng(...args))

describe("writePcapng", () => {
  it("writes a file from which the reader returns the same datagrams", () => {
    const reader = new CaptureReader()
    const read = reader.add(file(datagrams, "about"))
    expect(reader.end()).toBeUndefined()
    expect(read.map(({ bytes, from, timeNs, to }) => [toHex(bytes).slice(0, 18), from, to, timeNs])).toEqual([
      ["ffffffff55ffffffff", "198.51.100.9:50000", "192.0.2.1:27015", 1_795_248_900_123_456_000n],
      ["ffffffff4100000000", "192.0.2.1:27015", "198.51.100.9:50000", 1_795_248_900_150_000_000n],
      ["ffffffff57", "[2001:db8::7]:40000", "[::1]:27015", 1_795_248_900_160_000_000n],
      ["070707070707070707", "192.0.2.1:27015", "127.0.0.1:27015", 1_795_248_900_170_000_000n]
    ])
  })

  it("replaces missing addresses with addresses that are reserved for documentation, and missing times with ascending times", () => {
    const reader = new CaptureReader()
    const read = reader.add(file([{ bytes: new Uint8Array(5) }, { bytes: new Uint8Array(6), to: "[::1]:1" }]))
    expect(read.map(({ from, timeNs, to }) => [from, to, timeNs])).toEqual([
      ["192.0.2.1:27015", "192.0.2.9:50000", 0n],
      ["[2001:db8::1]:27015", "[::1]:1", 1000n]
    ])
  })

  it("truncates datagrams and comments that are too long for the format", () => {
    const reader = new CaptureReader()
    const parts = writePcapng([{ bytes: new Uint8Array(70_000), comments: ["ä".repeat(40_000)] }])
    const [only] = reader.add(Buffer.concat(parts))
    expect(only!.bytes).toHaveLength(65_507)
    expect(reader.end()).toBeUndefined()
  })

  it.skipIf(tshark === undefined)("writes comments and checksums that tshark accepts", () => {
    const directory = mkdtempSync(join(tmpdir(), "sourcewire-pcapng-"))
    try {
      const path = join(directory, "written.pcapng")
      writeFileSync(path, file(datagrams, "about the file"))
      const fields = [
        "frame.time_epoch",
        "frame.comment",
        "udp.srcport",
        "udp.length",
        "udp.checksum.status",
        "_ws.malformed"
      ]
      const checks = ["-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"]
      const args = ["-r", path, ...checks, "-T", "fields", "-E", "separator=|", "-E", "aggregator=;"]
      const out = execFileSync(tshark!, [...args, ...fields.flatMap((field) => ["-e", field])], { encoding: "utf8" })
      expect(out.trimEnd().split("\n")).toEqual([
        "1795248900.123456000||50000|17|1|",
        "1795248900.150000000|note: The challenge is 0 — “valid”.;a second comment|27015|17|1|",
        "1795248900.160000000||40000|13|1|",
        "1795248900.170000000||27015|3009|1|"
      ])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
