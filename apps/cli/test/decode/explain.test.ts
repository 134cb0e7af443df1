import { toHex } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/wire"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ip, links, pcapng } from "../../../../tooling/testing/captureFiles.ts"
import { objects, run } from "../runCli.ts"

const SERVER = ["192.0.2.1", 27015] as const
const CLIENT = ["198.51.100.9", 50000] as const
const OTHER = ["192.0.2.2", 27015] as const

// A RULES reply that needs three fragments, and the recorded INFO reply of a Xash3D server with five bots.
const rules = Buffer.concat([Buffer.from("ffffffff45c800", "hex"), Buffer.from("sv_cheats\0off\0".repeat(200))])
const bots =
  "ffffffff4931586173682070726f6265207365727665720070726f62655f726f6f6d0076616c76650048616c662d4c696665000000051005646c0000302e323100"
const askInfo = "ffffffff54536f7572636520456e67696e6520517565727900"

const frame = (
  ms: number,
  source: typeof SERVER | typeof CLIENT | typeof OTHER,
  destination: typeof source,
  hex: string
) => ({
  timeNs: 1_795_248_900_000_000_000n + BigInt(ms) * 1_000_000n,
  bytes: links[1]!(ip({ source, destination, payload: Buffer.from(hex, "hex") }))
})

const file = pcapng(1, [
  frame(0, CLIENT, SERVER, "ffffffff56ffffffff"),
  frame(20, SERVER, CLIENT, "ffffffff414ba1d522"),
  frame(21, CLIENT, SERVER, "ffffffff564ba1d522"),
  frame(40, SERVER, CLIENT, toHex(splitDatagram(rules, { layout: "source", id: 1 })[0]!)),
  frame(50, CLIENT, OTHER, askInfo),
  frame(70, OTHER, CLIENT, bots)
])

const withFile = async (use: (path: string) => Promise<void>): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "sourcewire-"))
  try {
    const path = join(directory, "capture.pcapng")
    await writeFile(path, file)
    await use(path)
  } finally {
    await rm(directory, { recursive: true })
  }
}

describe("decode --explain", () => {
  it("explains each conversation of a capture", () =>
    withFile(async (path) => {
      const { exitCode, stderr, stdout } = await run(["decode", "--explain", "--pcap", path])
      expect(stdout).toContain("192.0.2.1:27015 with 198.51.100.9:50000")
      expect(stdout).toContain("error: Only the first of 3 fragments arrived. It has 1260 bytes, 1288 with the")
      expect(stdout).toContain("packet 4, bytes 0–1259")
      expect(stdout).toContain("warning: All 5 players are bots: no people play.")
      expect(stdout).toContain("packet 6, byte 53; packet 6, byte 55")
      expect(stderr).toContain("5 messages in 6 packets")
      expect(exitCode).toBe(0)
    }))

  it("with --json, prints one line per conversation, and can select a conversation by its server or its number", () =>
    withFile(async (path) => {
      const all = await run(["decode", "--explain", "--json", "--pcap", path])
      expect(objects(all.stdout)).toMatchObject([
        {
          server: "192.0.2.1:27015",
          clients: ["198.51.100.9:50000"],
          datagrams: 4,
          findings: [
            {
              kind: "first-fragment-only",
              severity: "error",
              places: [{ packet: 4, time: "2026-11-21T08:15:00.040000Z", offset: 0, length: 1260 }]
            }
          ]
        },
        { server: "192.0.2.2:27015", findings: [{ kind: "all-bots", field: "bots" }, { kind: "no-extra-data" }] }
      ])
      const one = await run(["decode", "--explain", "--json", "--server", "192.0.2.2", "--pcap", path])
      const second = await run(["decode", "--explain", "--json", "--conversation", "2", "--pcap", path])
      expect([one.stdout, second.stdout].map((text) => objects(text))).toEqual([
        objects(all.stdout).slice(1),
        objects(all.stdout).slice(1)
      ])
    }))

  it("treats all datagrams in hex as one conversation, and exits with 1 if a datagram is malformed", async () => {
    const [good, malformed] = await Promise.all([
      run(["decode", "--explain", "--json"], { stdin: `${askInfo}\n${bots}\n` }),
      run(["decode", "--explain", "--json", bots.slice(0, 30)])
    ])
    expect(objects(good.stdout)).toMatchObject([
      {
        datagrams: 2,
        findings: [{ kind: "all-bots", places: [{ packet: 2, offset: 53 }, {}] }, { kind: "no-extra-data" }]
      }
    ])
    expect(objects(malformed.stdout)).toMatchObject([{ findings: [{ kind: "malformed", severity: "error" }] }])
    expect([good.exitCode, malformed.exitCode]).toEqual([0, 1])
  })

  it("rejects flags that filter messages", async () => {
    const { exitCode, stderr } = await run(["decode", "--explain", "--errors", "--pcap", "capture.pcap"])
    expect(stderr).toContain("--explain cannot be combined with")
    expect(exitCode).toBe(2)
  })
})
