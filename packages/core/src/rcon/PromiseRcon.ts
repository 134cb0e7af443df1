/** RCON for programs that don't use Effect: the Promise API of `Rcon`. */
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Datagrams } from "../engine/Datagrams.ts"
import { demand, holdsOf, isObject, readable, withoutSignal } from "../edge.ts"
import type { InvalidOption } from "../client/Options.ts"
import { type Abortable, type Closable, fromCaller, start } from "../client/Running.ts"
import { noPassword, type RconEngine, type RconOptions, type RconSettings } from "./options.ts"
import type { RconExecOptions } from "./Rcon.ts"
import type { Streams } from "../engine/Streams.ts"

/** As {@link RconOptions}; the password as plain text, which is wrapped at once. */
export interface PromiseRconOptions extends RconSettings, Abortable {
  readonly password: string
}

/** A server's console, logged in. Promises reject with an `RconError`; its `_tag` tells which. */
export interface PromiseRcon extends Closable {
  /** What the server turned out to speak. */
  readonly engine: RconEngine
  /** Runs a command and gives its whole reply. Commands may be given in parallel. Aborting forgets the reply, not the command. */
  readonly exec: (command: string, options?: Abortable & RconExecOptions) => Promise<string>
  /** Runs a command and gives the reply part by part. It throws after parts when they turn out not to be the whole. */
  readonly stream: (command: string, options?: Abortable & RconExecOptions) => AsyncIterable<string>
}

/** The options for the Effect API, the password wrapped. */
const readGiven = (options: PromiseRconOptions): Result.Result<RconOptions, InvalidOption> =>
  readable(() => {
    const { password, signal: _, ...others } = demand("options", "an object with a password", isObject, options)
    if (typeof password !== "string" && !holdsOf(() => Redacted.isRedacted(password))) {
      throw noPassword('password must be a text, as in { password: "secret" }.')
    }
    return { ...others, password: typeof password === "string" ? Redacted.make(password) : password }
  })

/** An `rcon` over one runtime's UDP and TCP. It rejects with an `RconConnectError`. */
export const rconWith =
  (transport: Layer.Layer<Datagrams | Streams>) =>
  async (address: string, options: PromiseRconOptions): Promise<PromiseRcon> => {
    const given = readGiven(options)
    if (Result.isFailure(given)) throw fromCaller(given.failure)
    const [{ open }, { iterate }] = await Promise.all([import("./Rcon.ts"), import("../client/iterate.ts")])
    const session = open(address, given.success)
    const { closable, run, value: rcon } = await start("The RCON session", transport, session, options)
    return {
      engine: rcon.engine,
      exec: (command, options) => run(rcon.exec(command, withoutSignal(options)), options),
      stream: (command, options) => iterate(rcon.stream(command, withoutSignal(options)), options),
      ...closable
    }
  }
