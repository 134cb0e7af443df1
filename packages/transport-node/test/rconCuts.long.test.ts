/**
 * RCON between our client and our server over real TCP. The tests combine the positions at which the stream is split, the sizes of the
 * reply, and the ways to find the end of the reply.
 */
import { assert, describe, it } from "@effect/vitest"
import { rcon as openRcon } from "@sourcewire/core"
import type { Terminator } from "@sourcewire/core/rcon"
import { makeSourceRcon } from "@sourcewire/server"
import type { SegmentFault, SourceBehaviour } from "@sourcewire/server/machines"
import * as Effect from "effect/Effect"
import { password, PATIENCE_MS, makeText, transport } from "./rconSetup.ts"

/** Sizes of replies, in bytes. The server sends the reply `300 + 300` in two packets, each with 300 bytes of text. */
const SIZES: Readonly<Record<string, { readonly bytes: number; readonly maxBodyBytes?: number }>> = {
  "0": { bytes: 0 },
  "1": { bytes: 1 },
  "300 + 300": { bytes: 600, maxBodyBytes: 300 },
  "4096": { bytes: 4096 },
  "40000": { bytes: 40_000 }
}

/** Each entry contains a terminator of the client, and a value of the server's option `mirror` for which this terminator works. */
const STRATEGIES: ReadonlyArray<readonly [Terminator, SourceBehaviour["mirror"]]> = [
  ["mirror", "source"],
  ["auto", "source"],
  ["auto", "text"],
  ["auto", "none"],
  ["quiet", "none"],
  ["quiet", "source"]
]

const runSession = (options: {
  readonly size: keyof typeof SIZES
  readonly terminator: Terminator
  readonly mirror: SourceBehaviour["mirror"]
  readonly segments?: SegmentFault
  readonly login?: "reply-and-verdict" | "verdict"
}) =>
  Effect.gen(function* () {
    const { bytes, maxBodyBytes } = SIZES[options.size]!
    const text = makeText(bytes)
    const server = yield* makeSourceRcon({
      password,
      port: 0,
      loginTimeoutMs: PATIENCE_MS,
      handler: (command) => (command === "long" ? text : `${command}\n`),
      behaviour: {
        mirror: options.mirror ?? "source",
        login: options.login ?? "reply-and-verdict",
        ...(maxBodyBytes === undefined ? {} : { maxBodyBytes })
      },
      ...(options.segments === undefined ? {} : { segments: options.segments })
    })
    const rcon = yield* openRcon(`127.0.0.1:${server.local.port}`, {
      password,
      engine: "source",
      terminator: options.terminator,
      timeoutMs: PATIENCE_MS
    })
    // With `auto`, the reply to the first command decides how the client finds the end of the second reply. If data of earlier replies is
    // left in the stream, the third reply is wrong.
    assert.strictEqual(yield* rcon.exec("long"), text)
    assert.strictEqual(yield* rcon.exec("short"), "short\n")
    assert.strictEqual(yield* rcon.exec("long"), text)
  }).pipe(Effect.scoped, Effect.provide(transport))

const inParallel = <A>(cases: ReadonlyArray<A>, run: (one: A) => Effect.Effect<void, unknown>) =>
  Effect.forEach(cases, run, { concurrency: 16, discard: true })

describe.concurrent.each(STRATEGIES)(
  "Source RCON over TCP (terminator of the client: %s, option mirror of the server: %s)",
  (terminator, mirror) => {
    const cuts: Readonly<Record<string, SegmentFault>> = {
      "as sent by the server": {},
      "one byte per segment": { segmentBytes: 1 },
      "all packets in one segment": { joinMs: 30 }
    }

    it.live.each(Object.keys(cuts))("returns replies of every size (segments of the stream: %s)", (cut) =>
      inParallel(Object.keys(SIZES), (size) => runSession({ size, terminator, mirror, segments: cuts[cut]! }))
    )

    it.live(
      "returns complete replies if the stream is split at any byte of the login or near a header of the reply",
      () => {
        // The login consists of two packets of 14 bytes, and the reply consists of two packets of 314 bytes. The positions are in the login,
        // near the first header of the reply, and near its second header.
        const heads = Array.from({ length: 64 }, (_, i) => i + 1)
        const tails = Array.from({ length: 50 }, (_, i) => 14 + 14 + 300 + i)
        return inParallel([...heads, ...tails], (cut) =>
          runSession({ size: "300 + 300", terminator, mirror, segments: { cutAt: [cut] } })
        )
      }
    )

    it.live("returns a long reply if the stream is split near or within the header of each packet", () => {
      const headers = Array.from({ length: 10 }, (_, i) => 28 + i * 4100)
      return inParallel([-1, 1, 2, 3, 4, 5, 8, 11, 12, 13], (shift) =>
        runSession({ size: "40000", terminator, mirror, segments: { cutAt: headers.map((header) => header + shift) } })
      )
    })
  }
)
