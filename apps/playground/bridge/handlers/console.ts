/**
 * Runs a console command. A session for each: the page may be closed at any time, and nothing that is logged in outlives it.
 *
 * @module
 */
import { Rcon } from "@sourcewire/core"
import { NodeDatagrams, NodeStreams } from "@sourcewire/transport-node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api, NotOffered, type RconEvent, TargetRefused } from "../Api.ts"
import { ending } from "../ending.ts"
import { failureOf } from "../failure.ts"
import { Settings } from "../Settings.ts"
import { checkTarget } from "../targets.ts"

const transport = Layer.merge(NodeDatagrams.layer, NodeStreams.layer)

/** See the module. */
export const consoleLayer = HttpApiBuilder.group(
  Api,
  "console",
  Effect.fnUntraced(function* (handlers) {
    const { limits, rcon, targets } = yield* Settings
    return handlers.handleAll({
      exec: Effect.fnUntraced(function* ({ payload: { address, command, engine = "auto", password } }) {
        if (!rcon) return yield* new NotOffered({ message: "The bridge was started without --rcon." })
        const checked = yield* Effect.result(checkTarget(address, targets).pipe(Effect.provide(NodeDatagrams.layer)))
        if (checked._tag === "Failure") {
          if (checked.failure instanceof TargetRefused) return yield* checked.failure
          return Stream.make<Array<RconEvent>>({ _tag: "Failed", error: failureOf(checked.failure) })
        }
        const { host, port } = checked.success
        const target = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`
        const events = Stream.unwrap(
          Effect.map(Rcon.connect(target, { password, engine }), (session) => {
            const first: RconEvent = { _tag: "Connected", engine: session.engine }
            const text = Stream.map(session.stream(command), (text): RconEvent => ({ _tag: "Text", text }))
            return Stream.concat(
              Stream.make(first),
              Stream.concat(text, Stream.make<Array<RconEvent>>({ _tag: "Done" }))
            )
          })
        ).pipe(
          Stream.catch((error) => Stream.make<Array<RconEvent>>({ _tag: "Failed", error: failureOf(error) })),
          Stream.provide(transport)
        )
        return yield* ending(events, limits.streamMs)
      })
    })
  })
)
