import { writePcapng } from "@sourcewire/capture"
import { fromHex } from "@sourcewire/protocol"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"

const folder = mkdtempSync(join(tmpdir(), "replies-"))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (content: string | Uint8Array): string => {
  const file = join(folder, "given")
  writeFileSync(file, content)
  return file
}

const CHALLENGE = "ffffffff4101020304"
const REQUEST = `ffffffff54${Buffer.from("Source Engine Query\0").toString("hex")}`
const REPLY = "ffffffff4911"

const capture = (servers: ReadonlyArray<string>): Uint8Array =>
  Buffer.concat(
    writePcapng(
      servers.flatMap((server) => [
        { bytes: fromHex("ffffffff56ffffffff")!, from: "198.51.100.9:5000", to: server, timeMs: 0, comments: [] },
        { bytes: fromHex("ffffffff4501006100620000")!, from: server, to: "198.51.100.9:5000", timeMs: 1, comments: [] }
      ]),
      ""
    )
  )

describe("serve --replies", () => {
  it("sends the challenge and the replies in the file, and replies to other queries with the data of the profile", async () => {
    const replies = [{ request: "info", challenge: CHALLENGE, datagrams: [REPLY, "0a"] }]
    const serving = start(["serve", "--json", "--port", "0", "--replies", write(JSON.stringify({ replies }))])
    await serving.printed("\n")
    const [line] = objects(serving.output().stdout)
    expect(line).toMatchObject({ profile: "css", replies: ["info"] })
    const address = String(line!["listening"])
    const socket = createSocket("udp4").bind(0, "127.0.0.1")
    const received: Array<string> = []
    socket.on("message", (datagram) => received.push(datagram.toString("hex")))
    const requesting = async (hex: string, count: number) => {
      received.length = 0
      socket.send(Buffer.from(hex, "hex"), Number(address.split(":")[1]), "127.0.0.1")
      while (received.length < count) await once(socket, "message")
      return received
    }
    expect(await requesting(REQUEST, 1)).toEqual([CHALLENGE])
    // The server accepts only the challenge from the file. This request contains the bytes of the challenge in reverse order. Therefore the
    // server rejects the request, and sends the challenge again.
    expect(await requesting(`${REQUEST}04030201`, 1)).toEqual([CHALLENGE])
    expect(await requesting(`${REQUEST}01020304`, 2)).toEqual([REPLY, "0a"])
    socket.close()
    const { stdout } = await run(["players", "--json", address])
    expect(objects(stdout)).toMatchObject([{ ok: true, players: {} }])
    serving.child.kill("SIGTERM")
    expect((await serving.ended).exitCode).toBe(0)
  })

  it("reads the replies from a capture", async () => {
    const serving = start(["serve", "--port", "0", "--replies", write(capture(["192.0.2.1:27015"]))])
    await serving.printed("Ctrl-C")
    expect(serving.output().stdout).toMatch(/^Emulating css on (127\.0\.0\.1:\d+) \(given rules\)\n/)
    const address = /on (\S+)/.exec(serving.output().stdout)![1]!
    const { stdout } = await run(["rules", "--json", address])
    expect(objects(stdout)).toMatchObject([{ rules: { rules: [{ name: "a", value: "b" }] } }])
    serving.child.kill("SIGTERM")
    await serving.ended
  })

  it.each([
    ["{", [], /Cannot serve the replies in \S+: it is not JSON: .*\. Correct it/],
    [
      '{"replies":[{"request":"inf","datagrams":[]}]}',
      [],
      /replies\[0\]\.request must be one of "info".*not "inf"\. Correct/
    ],
    [
      '{"replies":[{"request":"info","datagrams":["ff0"]}]}',
      [],
      /replies\[0\]\.datagrams\[0\] must be bytes in hex\. Correct/
    ],
    [
      '{"replies":[{"request":"info","challenge":"41","datagrams":[]}]}',
      [],
      /challenge must be a challenge in hex: ffffffff41/
    ],
    ["hello", [], /neither a pcap nor a pcapng capture, and not JSON\. Export the replies/],
    [capture([]), [], /0 datagrams, but no reply to a query\. Capture a query/],
    [
      capture(["192.0.2.1:27015", "192.0.2.2:27015"]),
      [],
      /replies of 2 servers \(192\.0\.2\.1:27015, 192\.0\.2\.2:27015\)\. Save/
    ],
    ['{"replies":[]}', ["--bind", "0.0.0.0"], /loopback address, not on 0\.0\.0\.0: .*Use --bind 127\.0\.0\.1/],
    ['{"replies":[]}', ["--loss", "0.5"], /--replies and --loss cannot be combined, because .*Remove one/]
  ] as const)("rejects the file %j with the flags %j", async (content, more, message) => {
    const { exitCode, stderr, stdout } = await run(["serve", "--port", "0", "--replies", write(content), ...more])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(message)
  })

  it("reports a missing file", async () => {
    const { exitCode, stderr } = await run(["serve", "--port", "0", "--replies", join(folder, "none.json")])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/Cannot read \S+none\.json: /)
  })
})
