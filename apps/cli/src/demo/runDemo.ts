/** The first thing that somebody sees who has just cloned the project: an emulated server, queried over real UDP. */
import { formatAddress } from "@sourcewire/core"
import { makeServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ProgramError } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import { query } from "../query/everything.ts"
import { runQueries } from "../query/runQueries.ts"
import type { QuerySettings } from "../options.ts"

const withServer = Effect.fnUntraced(function* (settings: QuerySettings) {
  const { err } = yield* Output
  const server = yield* makeServer()
  const address = formatAddress({ host: server.address, port: server.port })
  yield* err.line(
    err.palette.faint(`An emulated game server listens on ${address}; this is what it says over UDP:`),
    ""
  )
  yield* runQueries(query, { ...settings, addresses: [address] })
  yield* err.line(
    err.palette.faint(
      "Your turn: `npm start -- HOST:PORT` asks a real server, `npm run -s sourcewire -- query --trace HOST:PORT` shows each byte,"
    ),
    err.palette.faint("`… serve` keeps an emulated server running, `… --help` lists the rest.")
  )
})

/** Runs the command. */
export const runDemo = (settings: QuerySettings) =>
  settings.addresses.length > 0 || Option.isSome(settings.file)
    ? runQueries(query, settings)
    : Effect.scoped(withServer(settings)).pipe(
        Effect.provide(layer),
        Effect.catchTag(["InvalidServer", "EncodeError", "SendFailed"], ({ message }) =>
          Effect.fail(new ProgramError({ message: `The demonstration cannot start: ${message}` }))
        )
      )
