/** The first thing that somebody sees who has just cloned the project: an emulated server, queried over real UDP. */
import { formatAddress } from "@sourcewire/core"
import { makeServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { ProgramError } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import { told } from "../output/sentences.ts"
import { query } from "../query/everything.ts"
import type { QuerySettings } from "../options.ts"

const withServer = Effect.fnUntraced(function* (settings: QuerySettings) {
  const { err } = yield* Output
  const server = yield* makeServer()
  const address = formatAddress({ host: server.address, port: server.port })
  yield* err.line(
    err.palette.faint(`An emulated game server listens on ${address}; this is what it says over UDP:`),
    ""
  )
  yield* query({ ...settings, addresses: [address] })
  // In a clone it is `npm start` that runs this.
  const program = process.env["npm_lifecycle_event"] === "start" ? "npm run -s sourcewire --" : "sourcewire"
  const next = `Your turn: \`${program} query HOST:PORT\` asks a real server, with --trace it shows each byte, \`… serve\` keeps an emulated server running, \`… help\` lists the rest.`
  yield* err.line(err.palette.faint(told(err, "", next)))
})

export const runDemo = (settings: QuerySettings) =>
  settings.addresses.length > 0 || settings.file !== undefined
    ? query(settings)
    : Effect.scoped(withServer(settings)).pipe(
        Effect.provide(layer),
        Effect.catchTag(["InvalidServer", "EncodeError", "SendFailed"], ({ message }) =>
          Effect.fail(new ProgramError(`The demonstration cannot start: ${message}`))
        )
      )
