/** Runs a console command on a real server. */
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { exec } from "../../engine/consoles.ts"
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
      exec: Effect.fnUntraced(function* ({ payload: { address, ...command } }) {
        if (!rcon) return yield* new NotOffered({ message: "The bridge was started without --rcon." })
        const failed = (error: Failure): RconEvent => ({ _tag: "Failed", error })
        const events = yield* onTarget(address, targets, failed, (target) =>
          Stream.provide(exec(target, command), transport)
        )
        return yield* ending(events, limits.streamMs)
      }, Effect.provide(transport))
    })
  })
)
