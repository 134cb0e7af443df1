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

it("decode --pcap prints the messages of a capture with time, source and destination", async () => {
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
        `   0.003000  ${ends}  malformed                       Malformed: the datagram ends inside InfoReply.name at byte 6: 0 bytes, no NUL`,
        ""
      ].join("\n")
    )
    expect([fromFile.exitCode, human.exitCode]).toEqual([1, 1])
  } finally {
    await rm(directory, { recursive: true })
  }
})

const text = (value: string): Buffer => Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from(value, "latin1")])

it("decode --pcap masks passwords by default", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sourcewire-"))
  const logged = 'L 11/21/2026 - 19:33:17: Rcon: "rcon 123 "hunter2" status" from "192.0.2.1:27005"\n'
  const datagrams = [
    text('rcon 123 "hunter2" status\n\0'),
    text('rcon "hunter2'),
    text(`log ${logged}\0`),
    text(`R${logged}\0`),
    text(`S4711${logged}\0`),
    text(`Shunter2${logged}\0`),
    text('log 11/21/2026 - 19:33:17: Rcon: "rcon hunter2 status" from "192.0.2.1:27005"\n\0'),
    text('rcon 123 "hunter2\xff" status\n\0'),
    // Requests to join a server, which contain a password and a ticket. The first and the second request are from Source 2013, and the
    // second request is truncated. The third request is from CS:GO.
    text("k\x18\0\0\0\x03\0\0\0AAAABBBBplayer\0hunter2\x001\0\x07\0hunter2"),
    text("k\x18\0\0\0\x02\0\0\0AAAABBBBplayer\0hunter2\x001\0hunter2"),
    text("k\xbe\x35\0\0\x03\0\0\0AAAA\0hunter2\0\x01hunter2")
  ]
  const frames = datagrams.map((payload) => ({
    timeNs: 1_795_248_900_000_000_000n,
    bytes: links[1]!(ip({ source: ["127.0.0.1", 27015], destination: ["127.0.0.2", 40000], payload }))
  }))
  try {
    const path = join(directory, "capture.pcapng")
    await writeFile(path, pcapng(1, frames))
    for (const how of [[], ["--json"], ["--tree"], ["--json", "--tree"]]) {
      const { stderr, stdout } = await run(["decode", "--pcap", path, ...how])
      expect(stdout + stderr).not.toMatch(/hunter2|4711|68 ?75 ?6e ?74 ?65 ?72|34 37 31 31/)
      expect(stdout).toMatch(/\*{8}|“status”/)
    }
    const { stdout } = await run(["decode", "--json", "--pcap", path])
    expect(objects(stdout).slice(2, 4)).toMatchObject([
      { message: { line: logged.replace("hunter2", "********") } },
      { message: { line: logged.replace("hunter2", "********") } }
    ])
    const shown = await run(["decode", "--json", "--show-passwords", "--pcap", path])
    expect(shown.stdout.match(/hunter2/g)!.length).toBeGreaterThanOrEqual(5)
    expect(objects(shown.stdout)[4]).toMatchObject({ message: { secret: 4711 } })
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
    [/A2S_SERVERQUERY/, /malformed   /]
  ],
  [["--server", "127.0.0.1:27015", "--type", "s2c_challenge"], [/S2C_CHALLENGE +2\.50 ms +challenge 584425803/]],
  [
    ["--type", "InfoRequest"],
    [/ 0\.000000 .* A2S_INFO/, / 0\.010000 .* A2S_INFO/]
  ],
  [["--errors"], [/malformed    +Malformed: the datagram ends/]],
  [["--text", "CHALLENGE 584425803"], [/S2C_CHALLENGE/]],
  [
    ["--conversation", "2"],
    [/127\.0\.0\.3:27016/, /127\.0\.0\.3:27016/]
  ]
])("decode --pcap applies the filter %j", async (flags, lines) => {
  const { stdout } = await run(["decode", "--pcap", "-", ...flags], { stdin: talk() })
  expect(stdout.trimEnd().split("\n")).toEqual(lines.map((line) => expect.stringMatching(line)))
})

it("decode --pcap lists the conversations of a capture", async () => {
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

it("flags that filter messages require --pcap", async () => {
  const { exitCode, stderr } = await run(["decode", "--errors", "ffffffff57"])
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(/require --pcap/) })
})

it("decode --pcap explains why a file cannot be read", async () => {
  const missing = await run(["decode", "--pcap", "no/such/file"])
  expect(missing).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(/^sourcewire: Cannot read no\/such\/file: /)
  })
  const text = await run(["decode", "--pcap", "-"], { stdin: "hello, world" })
  expect(text).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(/neither a pcap nor a pcapng/) })
})

it.each([
  [["--type", "InfoRepyl"], /--type "InfoRepyl" is not a type of message\. Did you mean InfoReply\?/],
  [["--conversation", "99"], /--conversation 99 is not in standard input, which contains \d+ conversations\./],
  [["--conversation", "0"], /--conversation must be a whole number, 1 or more, not "0"/]
])("decode --pcap %j is a usage error", async (flags, message) => {
  const { exitCode, stderr, stdout } = await run(["decode", "--pcap", "-", ...flags], { stdin: talk() })
  expect(stderr.replaceAll(/\s+/g, " ")).toMatch(message)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
})
