import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { ip, links, pcapng } from "../../../tooling/testing/captureFiles.ts"
import { objects, run } from "./runCli.ts"

const file = pcapng(
  1,
  ["ffffffff55ffffffff", "ffffffff414ba1d522", "ffffffff4911"].map((hex, i) => ({
    timeNs: 1_795_248_900_000_000_000n + BigInt(i) * 1_500_000n,
    bytes: links[1]!(
      ip({ source: ["127.0.0.1", 27015], destination: ["127.0.0.2", 40000], payload: Buffer.from(hex, "hex") })
    )
  }))
)

it("prints the messages of a capture with time, source and destination", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sourcewire-"))
  try {
    const path = join(directory, "capture.pcapng")
    await writeFile(path, file)
    const [fromFile, fromStdin, human] = await Promise.all([
      run(["decode", "--json", "--pcap", path]),
      run(["decode", "--json", "--pcap", "-"], { stdin: file }),
      run(["decode", "--pcap", path])
    ])
    const way = { source: "127.0.0.1:27015", destination: "127.0.0.2:40000" }
    expect(objects(fromFile.stdout)).toMatchObject([
      { ok: true, time: "2026-11-21T08:15:00.000000Z", ...way, message: { _tag: "PlayersRequest", challenge: -1 } },
      { ok: true, time: "2026-11-21T08:15:00.001500Z", ...way, message: { _tag: "ChallengeReply" } },
      { ok: false, time: "2026-11-21T08:15:00.003000Z", ...way, error: { _tag: "Malformed" } }
    ])
    expect(fromStdin.stdout).toBe(fromFile.stdout)
    expect(fromFile.stderr).toBe("3 messages in 3 packets\n")
    const ends = "127.0.0.1:27015       → 127.0.0.2:40000      "
    expect(human.stdout).toBe(
      [
        `   0.000000  ${ends}  A2S_PLAYER                      challenge -1`,
        `   0.001500  ${ends}  S2C_CHALLENGE                   challenge 584425803`,
        `   0.003000  ${ends}  not readable                    Malformed: the datagram ends inside InfoReply.name at byte 6: 0 bytes, no NUL`,
        ""
      ].join("\n")
    )
    expect([fromFile.exitCode, human.exitCode]).toEqual([1, 1])
  } finally {
    await rm(directory, { recursive: true })
  }
})

const talk = (): Buffer => {
  type Sent = readonly [hex: string, from: string, fromPort: number, to: string, toPort: number]
  const asked: Sent = ["ffffffff54536f7572636520456e67696e6520517565727900", "127.0.0.2", 40000, "127.0.0.1", 27015]
  const datagrams: ReadonlyArray<Sent> = [
    asked,
    ["ffffffff414ba1d522", "127.0.0.1", 27015, "127.0.0.2", 40000],
    ["ffffffff57", "127.0.0.2", 40000, "127.0.0.3", 27016],
    ["ffffffff4911", "127.0.0.3", 27016, "127.0.0.2", 40000],
    asked
  ]
  return pcapng(
    1,
    datagrams.map(([hex, from, fromPort, to, toPort], i) => ({
      timeNs: 1_795_248_900_000_000_000n + BigInt(i) * 2_500_000n,
      bytes: links[1]!(ip({ source: [from, fromPort], destination: [to, toPort], payload: Buffer.from(hex, "hex") }))
    }))
  )
}

it.each([
  [
    ["--server", "127.0.0.3"],
    [/A2S_SERVERQUERY/, /not readable/]
  ],
  [["--server", "127.0.0.1:27015", "--type", "s2c_challenge"], [/S2C_CHALLENGE +2\.50 ms +challenge 584425803/]],
  [
    ["--type", "InfoRequest"],
    [/ 0\.000000 .* A2S_INFO/, / 0\.010000 .* A2S_INFO/]
  ],
  [["--errors"], [/not readable +Malformed: the datagram ends/]],
  [["--text", "CHALLENGE 584425803"], [/S2C_CHALLENGE/]],
  [
    ["--conversation", "2"],
    [/127\.0\.0\.3:27016/, /127\.0\.0\.3:27016/]
  ]
])("shows of a capture what %j asks for", async (flags, lines) => {
  const { stdout } = await run(["decode", "--pcap", "-", ...flags], { stdin: talk() })
  expect(stdout.trimEnd().split("\n")).toEqual(lines.map((line) => expect.stringMatching(line)))
})

it("lists the conversations of a capture", async () => {
  const [human, json] = await Promise.all([
    run(["decode", "--pcap", "-", "--conversation"], { stdin: talk() }),
    run(["decode", "--pcap", "-", "--conversation", "--errors", "--json"], { stdin: talk() })
  ])
  expect(human.stdout.split("\n").slice(1)).toEqual([
    "1  0.000000  0.010000  127.0.0.2:40000  127.0.0.1:27015         3  59 bytes",
    "2  0.005000  0.007500  127.0.0.2:40000  127.0.0.3:27016         2  11 bytes       1",
    ""
  ])
  expect(objects(json.stdout)).toEqual([
    {
      conversation: 2,
      ends: ["127.0.0.2:40000", "127.0.0.3:27016"],
      messages: 1,
      bytes: 6,
      errors: 1,
      begin: "2026-11-21T08:15:00.005000Z",
      end: "2026-11-21T08:15:00.007500Z"
    }
  ])
  expect([human.exitCode, json.exitCode]).toEqual([1, 1])
})

it("wants a capture to filter", async () => {
  const { exitCode, stderr } = await run(["decode", "--errors", "ffffffff57"])
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(/go with --pcap/) })
})

it("says why a file cannot be read", async () => {
  const missing = await run(["decode", "--pcap", "no/such/file"])
  expect(missing).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(/^sourcewire: Cannot read no\/such\/file: /)
  })
  const text = await run(["decode", "--pcap", "-"], { stdin: "hello, world" })
  expect(text).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(/neither a pcap nor a pcapng/) })
})
