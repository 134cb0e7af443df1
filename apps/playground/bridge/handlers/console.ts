/**
 * Runs a console command. A session for each: the page may be closed at any time, and nothing that is logged in outlives it.
 */
import { formatAddress, rcon as openRcon } from "@sourcewire/core"
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api, type Failure, NotOffered, type RconEvent } from "../Api.ts"
import { ending } from "../ending.ts"
import { Settings } from "../Settings.ts"
import { onTarget } from "../targets.ts"

export const consoleLayer = HttpApiBuilder.group(
  Api,
  "console",
  Effect.fnUntraced(function* (handlers) {
    const { limits, rcon, targets } = yield* Settings
    return handlers.handleAll({
      exec: Effect.fnUntraced(function* ({ payload: { address, command, engine = "auto", password } }) {
        if (!rcon) return yield* new NotOffered({ message: "The bridge was started without --rcon." })
        const failed = (error: Failure): RconEvent => ({ _tag: "Failed", error })
        const events = yield* onTarget(address, targets, failed, ({ host, port }) => {
          const target = formatAddress({ host, port })
          const session = Effect.map(openRcon(target, { password, engine }), (session) => {
            const text = Stream.map(session.stream(command), (text): RconEvent => ({ _tag: "Text", text }))
            const first: RconEvent = { _tag: "Connected", engine: session.engine }
            const last: RconEvent = { _tag: "Done" }
            return Stream.concat(Stream.make(first), Stream.concat(text, Stream.make(last)))
          })
          return Stream.unwrap(session).pipe(
            Stream.catch((error) => Stream.make(failed(error))),
            Stream.provide(transport)
          )
        })
        return yield* ending(events, limits.streamMs)
      }, Effect.provide(transport))
    })
  })
)
