/** Runs `sourcewire demo`: starts an emulated server and queries it over real UDP. */
import { formatAddress } from "@sourcewire/core"
import { makeServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import { ProgramError } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import { formatSentence } from "../output/sentences.ts"
import { query } from "../query/everything.ts"
import type { QuerySettings } from "../options.ts"

const withServer = Effect.fnUntraced(function* (settings: QuerySettings) {
  const { notes } = yield* Output
  const server = yield* makeServer()
  const address = formatAddress({ host: server.address, port: server.port })
  yield* notes.line(notes.palette.faint(`An emulated game server listens on ${address}. Its replies over UDP:`), "")
  yield* query({ ...settings, addresses: [address] })
  // In a clone of the repository, users run this command with `npm start`, because their shell does not find the program `sourcewire`.
  const program = process.env["npm_lifecycle_event"] === "start" ? "npm run -s sourcewire --" : "sourcewire"
  const next = `Next: \`${program} query HOST:PORT\` queries a real server (--trace shows each byte), \`… serve\` runs an emulated server, \`… help\` lists all commands.`
  yield* notes.line(notes.palette.faint(formatSentence(notes, "", next)))
})

export const runDemo = (settings: QuerySettings) =>
  settings.addresses.length > 0 || settings.file !== undefined
    ? query(settings)
    : Effect.scoped(withServer(settings)).pipe(
        Effect.provide(layer),
        Effect.catchTag(["InvalidOption", "EncodeError", "SendFailed"], ({ message }) =>
          Effect.fail(new ProgramError(`The demonstration cannot start: ${message}`))
        )
      )
