/**
 * Checks that the guide to the live views shows the current screen of each view. If the guide lacks a screen or contains an outdated
 * screen, the test prints the current screen.
 */
import { profiles } from "@sourcewire/emulator"
import { encode } from "@sourcewire/protocol"
import { current } from "@sourcewire/server"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { type Frame, Scrolling, frameLines } from "../../src/live/frame.ts"
import { plain } from "../../src/output/text.ts"
import { pingFrame } from "../../src/ping/pingView.ts"
import { PingTally } from "../../src/ping/statistics.ts"
import { Watched } from "../../src/scan/watched.ts"
import { watchFrame } from "../../src/scan/watchView.ts"
import { ServedLog } from "../../src/serve/ServedLog.ts"
import { serveFrame } from "../../src/serve/serveView.ts"

const guide = readFileSync(new URL("../../../../docs/how-to/use-live-views.md", import.meta.url), "utf8")

const makeCanvas = (rows: number) => ({
  columns: 100,
  rows,
  palette: plain,
  scrolling: new Scrolling(),
  listsKeys: false
})

const shows = (frame: (canvas: ReturnType<typeof makeCanvas>) => Frame, rows: number): void => {
  const canvas = makeCanvas(rows)
  const lines = frameLines(frame(canvas), canvas)
  expect(guide).toContain(["```text", ...lines.map((line) => line.trimEnd()), "```"].join("\n"))
}

it("the screen of ping in the guide is up to date", () => {
  const series = (host: string, times: ReadonlyArray<number | undefined>) => {
    const tally = new PingTally()
    for (const rttMs of times) tally.add(rttMs === undefined ? undefined : { rttMs })
    return { target: { name: host, address: { host, port: 27_015 } }, tally, lastError: undefined }
  }
  const rows = [
    series("192.0.2.7:27015", [21.4, 22.1, 21.9, 23.5, 21.2, 21.8, 22, 30.2, 22.4, 21.7]),
    series("192.0.2.8:27015", [48.2, 51.7, undefined, 60.1, 88.4, undefined, 52.3, 49.9, 71, 50.2])
  ] as unknown as Parameters<typeof pingFrame>[0]
  shows((canvas) => pingFrame(rows, 10_000, canvas), 7)
})

it("the screen of scan --watch in the guide is up to date", () => {
  const watched = new Watched()
  const take = (number: number, name: string, map: string, players: number, now = 0): void =>
    watched.take(
      {
        address: `192.0.2.${number}:27015`,
        ok: true,
        rttMs: 20 + number,
        info: { name, map, players, maxPlayers: 32 }
      },
      now
    )
  watched.set({ round: 1 })
  take(7, "Dust and nothing else", "de_dust2", 12)
  take(8, "Payload all night", "pl_upward", 24)
  take(9, "Surf for beginners", "surf_ski_2", 3)
  watched.set({ round: 2 })
  take(7, "Dust and nothing else", "de_dust2", 15, 60_000)
  take(8, "Payload all night", "pl_badwater", 24, 60_000)
  watched.take({ address: "192.0.2.9:27015", ok: false, error: { _tag: "Timeout" } }, 61_000)
  const state = {
    watched,
    intervalMs: 60_000,
    progress: undefined,
    nextAt: 120_000,
    warning: undefined,
    typing: undefined,
    selected: undefined,
    opened: undefined
  }
  shows((canvas) => watchFrame(state, canvas, 75_000), 8)
})

it("the screen of serve in the guide is up to date", () => {
  const log = new ServedLog()
  const profile = profiles.css({ seed: 1 })
  const info = Result.getOrThrow(encode(current(profile.info!)!))
  const from = { address: "127.0.0.1", port: 53_211 }
  const request = Result.getOrThrow(encode({ _tag: "InfoRequest" }))
  const at = new Date(2026, 10, 22, 8, 15).getTime()
  const passage = (bytes: Uint8Array) => ({ bytes, afterMs: 0, forged: false })
  const challenge = Result.getOrThrow(encode({ _tag: "ChallengeReply", challenge: 584_425_803 }))
  log.take({ ...from, request, answered: false, passages: [], injected: new Set(["loss"]) }, 0, at)
  log.take({ ...from, request, answered: true, passages: [passage(challenge)], injected: new Set() }, 0, at + 1000)
  log.take({ ...from, request, answered: true, passages: [passage(info)], injected: new Set() }, 0, at + 1000)
  const listening = "127.0.0.1:27015"
  const servers = [
    {
      listening,
      what: "css",
      besides: "loss 0.3",
      hint: `sourcewire query ${listening}`,
      counters: () => ({ requests: 3, bytesIn: 75, replies: 2, bytesOut: 240, unanswered: 1 })
    }
  ]
  shows((canvas) => serveFrame({ servers, log, warnings: [] }, canvas), 12)
})
