/** RCON for programs that do not use Effect: the Promise API of `Rcon`. */
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Datagrams } from "../engine/Datagrams.ts"
import { demand, tryCondition, isObject, readable } from "../edge.ts"
import type { InvalidOption } from "../client/Options.ts"
import { type Abortable, type Closable, fromCaller, start } from "../client/Running.ts"
import { promised, type Promises } from "../client/Style.ts"
import { noPassword, type RconOptions, type RconSettings } from "./options.ts"
import type { RconMethods } from "./Rcon.ts"
import type { Streams } from "../engine/Streams.ts"

/** The options of a session, with the password as plain text. The function `rcon` wraps the password in a `Redacted`. */
export interface PromiseRconOptions extends RconSettings, Abortable {
  readonly password: string
}

/**
 * An authenticated session. If a command fails, its promise rejects with an `RconError`, whose `_tag` names the kind of error. You can run
 * commands in parallel.
 */
export interface PromiseRcon extends RconMethods<Promises>, Closable {}

/** Wraps the password in a `Redacted`, as the Effect API requires. */
const readGiven = (options: PromiseRconOptions): Result.Result<RconOptions, InvalidOption> =>
  readable(() => {
    const { password, signal: _, ...others } = demand("options", "an object with a password", isObject, options)
    if (typeof password !== "string" && !tryCondition(() => Redacted.isRedacted(password))) {
      throw noPassword('password must be a text, as in { password: "secret" }.')
    }
    return { ...others, password: typeof password === "string" ? Redacted.make(password) : password }
  })

/**
 * Creates the `rcon` function of a runtime, which uses the UDP and TCP of `transport`. If connecting or the log-in fails, the promise
 * rejects with an `RconConnectError`.
 */
export const rconWith =
  (transport: Layer.Layer<Datagrams | Streams>) =>
  async (address: string, options: PromiseRconOptions): Promise<PromiseRcon> => {
    const given = readGiven(options)
    if (Result.isFailure(given)) throw fromCaller(given.failure)
    const [{ open }, { iterate }] = await Promise.all([import("./Rcon.ts"), import("../client/iterate.ts")])
    const session = open(address, given.success)
    const { closable, run, value: rcon } = await start("The RCON session", transport, session, options)
    const methods = { ...promised(rcon, { exec: 1 }, run), ...promised(rcon, { stream: 1 }, iterate) }
    return { engine: rcon.engine, ...(methods as Pick<PromiseRcon, "exec" | "stream">), ...closable }
  }
