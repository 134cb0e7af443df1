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
    expect(human.stdout).toMatch(
      /^2026-11-21T08:15:00\.000000Z 127\.0\.0\.1:27015 → 127\.0\.0\.2:40000\nPlayersRequest/
    )
    expect([fromFile.exitCode, human.exitCode]).toEqual([1, 1])
  } finally {
    await rm(directory, { recursive: true })
  }
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
