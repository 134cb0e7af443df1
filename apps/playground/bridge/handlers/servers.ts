/** Starts emulated servers for the page. They listen on loopback, and run until the bridge stops. */
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { emulatedServers } from "../../engine/emulated.ts"
import { Api, NotOffered, Unusable } from "../Api.ts"
import { Settings } from "../Settings.ts"

export const serversLayer = HttpApiBuilder.group(
  Api,
  "servers",
  Effect.fnUntraced(function* (handlers) {
    const { emulate, rcon } = yield* Settings
    const servers = emulatedServers({ withConsole: rcon })
    yield* Effect.addFinalizer(() => servers.stopAll)
    return handlers.handleAll({
      running: () => Effect.sync(servers.shown),
      start: Effect.fnUntraced(function* ({ payload }) {
        if (!emulate)
          return yield* new NotOffered({ message: "A bridge that other hosts can reach cannot emulate servers." })
        return yield* servers.start(payload).pipe(
          Effect.provide(transport),
          Effect.mapError(({ message }) => new Unusable({ message }))
        )
      }),
      stop: () => Effect.map(servers.stopAll, servers.shown),
      stopOne: ({ params: { id } }) => Effect.map(servers.stop(id), servers.shown)
    })
  })
)
