/** Runs one console command. Each command has a session of its own, so that no login remains after the command. */
import { type Address, formatAddress, rcon } from "@sourcewire/core"
import type { Datagrams, Streams } from "@sourcewire/core/transport"
import type * as Redacted from "effect/Redacted"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RconEvent } from "../bridge/Api.ts"

export interface Command {
  readonly password: Redacted.Redacted
  readonly command: string
  readonly engine?: "auto" | "source" | "goldsource" | "quake"
}

export const exec = (
  { host, port }: Address,
  { command, engine = "auto", password }: Command
): Stream.Stream<RconEvent, never, Datagrams | Streams> =>
  Stream.unwrap(
    Effect.map(rcon(formatAddress({ host, port }), { password, engine }), (session) => {
      const first: RconEvent = { _tag: "Connected", engine: session.engine }
      const text = Stream.map(session.stream(command), (text): RconEvent => ({ _tag: "Text", text }))
      const last: RconEvent = { _tag: "Done" }
      return Stream.concat(Stream.make(first), Stream.concat(text, Stream.make(last)))
    })
  ).pipe(Stream.catch((error) => Stream.make<[RconEvent]>({ _tag: "Failed", error })))
