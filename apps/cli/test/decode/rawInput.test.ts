import { describe, expect, it } from "vitest"
import { objects, run } from "../runCli.ts"

const CHALLENGE = { ok: true, message: { _tag: "ChallengeReply" } }

describe("decode", () => {
  it("reads several arguments of one byte each as one datagram", async () => {
    const { exitCode, stdout } = await run(["decode", "--json", ..."FF FF FF FF 41 4B A1 D5 22".split(" ")])
    expect(objects(stdout)).toMatchObject([CHALLENGE])
    expect(exitCode).toBe(0)
  })

  it("reads several arguments of different lengths as one datagram", async () => {
    const { stdout } = await run(["decode", "--json", "0xffffffff", "41", "4ba1d522"])
    expect(objects(stdout)).toMatchObject([CHALLENGE])
  })

  it("reads raw bytes from standard input", async () => {
    const { exitCode, stdout } = await run(["decode", "--json"], { stdin: Buffer.from("ffffffff414ba1d522", "hex") })
    expect(objects(stdout)).toMatchObject([CHALLENGE])
    expect(exitCode).toBe(0)
  })

  it("rejects raw input that is too long for a datagram, and suggests --pcap", async () => {
    const { exitCode, stdout } = await run(["decode", "--json"], { stdin: new Uint8Array(70_000) })
    expect(objects(stdout)).toMatchObject([{ ok: false, error: { _tag: "LimitExceeded" } }])
    expect(stdout).toContain("--pcap -")
    expect(exitCode).toBe(1)
  })

  it("reads text that begins with a byte order mark", async () => {
    const { stdout } = await run(["decode", "--json"], { stdin: "\ufeffffffffff414ba1d522\n" })
    expect(objects(stdout)).toMatchObject([CHALLENGE])
  })
})
