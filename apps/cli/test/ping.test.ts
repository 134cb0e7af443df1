import type { MeasuredRoundTrip } from "@sourcewire/core/engine"
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { PingTally } from "../src/ping/statistics.ts"
import { objects, run, start } from "./runCli.ts"
import { udpServer } from "./udpServer.ts"

describe("ping", () => {
  it("exits with 3 if all failures are bans", async () => {
    const ban = () =>
      udpServer(() => [`ffffffff6c${Buffer.from("You have been banned from this server.\n\0").toString("hex")}`])
    await using banned = await ban()
    await using other = await ban()
    await using fine = await startServer({ transport: layer })
    const readExitCode = async (...addresses: ReadonlyArray<string>) =>
      (await run(["ping", "--json", "--timeout", "300", ...addresses])).exitCode
    expect(await readExitCode(banned.address, other.address)).toBe(3)
    expect(await readExitCode(banned.address, `127.0.0.1:${fine.port}`)).toBe(3)
    expect(await readExitCode(banned.address, "127.0.0.1:1")).toBe(1)
  })

  it("reports counts, packet loss and round-trip times", async () => {
    await using server = await startServer({ transport: layer })
    const { exitCode, stdout } = await run([
      "ping",
      "--json",
      "--count",
      "3",
      "--interval",
      "1",
      `127.0.0.1:${server.port}`
    ])
    expect(objects(stdout)).toEqual([
      {
        address: `127.0.0.1:${server.port}`,
        ok: true,
        sent: 3,
        received: 3,
        lossPercent: 0,
        minMs: expect.any(Number),
        avgMs: expect.any(Number),
        maxMs: expect.any(Number),
        jitterMs: expect.any(Number)
      }
    ])
    expect(exitCode).toBe(0)
  })

  it("in an endless series, prints a line with the current statistics after each ping", async () => {
    let request = 0
    await using server = await udpServer(() => (request++ < 2 ? ["ffffffff6a00"] : []))
    const running = start([
      "ping",
      "--json",
      "--count",
      "0",
      "--interval",
      "1ms",
      "--timeout",
      "200ms",
      "--via",
      "ping",
      server.address
    ])
    await running.printed('"sent":3')
    running.child.kill("SIGINT")
    const { exitCode, stdout } = await running.ended
    const [first, second, third] = objects(stdout)
    expect(first).toMatchObject({ address: server.address, ok: true, rttMs: expect.any(Number), sent: 1, received: 1 })
    expect(second).toMatchObject({ ok: true, sent: 2, received: 2 })
    expect(third).toMatchObject({ ok: false, sent: 3, received: 2, error: { _tag: "Timeout" } })
    expect(exitCode).toBe(130)
  })

  it.each(["auto", "info"])("with --via %s, reports no packet loss if the target cannot be resolved", async (via) => {
    const { exitCode, stdout } = await run([
      "ping",
      "--json",
      "--count",
      "2",
      "--interval",
      "1",
      "--via",
      via,
      "x.invalid"
    ])
    expect(objects(stdout)).toMatchObject([
      { ok: false, sent: 0, received: 0, lossPercent: 0, error: { _tag: "Unresolved" } }
    ])
    expect(exitCode).toBe(1)
  })

  it("counts lost pings", async () => {
    let request = 0
    await using server = await udpServer(() => (request++ % 2 === 0 ? ["ffffffff6a00"] : []))
    const { stdout } = await run([
      "ping",
      "--json",
      "-c",
      "4",
      "--interval",
      "1",
      "--timeout",
      "200",
      "--via",
      "ping",
      server.address
    ])
    expect(objects(stdout)).toMatchObject([{ ok: true, sent: 4, received: 2, lossPercent: 50 }])
  })

  it("fails if no ping gets a reply", async () => {
    await using server = await udpServer(() => [])
    const { exitCode, stdout } = await run(["ping", "--json", "--timeout", "200", server.address])
    expect(objects(stdout)).toMatchObject([{ ok: false, received: 0, lossPercent: 100, error: { _tag: "Timeout" } }])
    expect(exitCode).toBe(1)
  })
})

/** Returns the statistics of `sent` pings. The first pings get the replies in `answers`, and the remaining pings get no reply. */
const tallyStatistics = (sent: number, answers: ReadonlyArray<MeasuredRoundTrip>) => {
  const tally = new PingTally()
  for (const answer of answers) tally.add(answer)
  while (tally.sent < sent) tally.add(undefined)
  return tally.statistics
}

describe("PingTally", () => {
  it("computes jitter from consecutive round-trip times", () => {
    expect(tallyStatistics(4, [{ rttMs: 10 }, { rttMs: 14 }, { rttMs: 12 }])).toEqual({
      sent: 4,
      received: 3,
      lossPercent: 25,
      minMs: 10,
      avgMs: 12,
      maxMs: 14,
      jitterMs: 3
    })
  })

  const guess = { rttMs: 90, rttAmbiguous: true } as const

  it("ignores ambiguous round-trip times if other round-trip times are unambiguous", () => {
    const known = tallyStatistics(3, [{ rttMs: 10 }, guess, { rttMs: 12 }])
    expect(known).toMatchObject({ received: 3, lossPercent: 0, minMs: 10, avgMs: 11, maxMs: 12, jitterMs: 2 })
    expect(known).not.toHaveProperty("rttAmbiguous")
  })

  it("uses ambiguous round-trip times and marks the result if all round-trip times are ambiguous", () => {
    expect(tallyStatistics(1, [guess])).toMatchObject({ received: 1, rttAmbiguous: true, minMs: 90, maxMs: 90 })
  })

  it("has no round-trip times if no ping has a reply", () => {
    expect(tallyStatistics(2, [])).toEqual({ sent: 2, received: 0, lossPercent: 100 })
  })
})
