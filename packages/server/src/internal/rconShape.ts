/**
 * What the options of RCON servers must look like, see `edge.ts`.
 *
 * @module
 */
import { ENCODINGS } from "@sourcewire/protocol/machines"
import * as Redacted from "effect/Redacted"
import { InvalidServer } from "../InvalidServer.ts"
import { all, type Check, each, func, list, number, oneOf, optional, shape, text, whole } from "./edge.ts"

/** Protocols that are served, as `startRconServer` names them. */
export const SERVED = ["source", "goldsource", "hltv", "quake"]

const invalid = (option: string, must: string) => new InvalidServer({ message: `${option} ${must}.`, option })

// Says nothing of the value: it may well be a password in clear.
const password: Check = (value, option) =>
  Redacted.isRedacted(value) && typeof Redacted.value(value) === "string"
    ? undefined
    : invalid(option, "must be a Redacted text, as Redacted.make of effect gives it")

/** A Promise API takes it in clear as well. */
const plainPassword: Check = (value, option) =>
  typeof value === "string" || password(value, option) === undefined
    ? undefined
    : invalid(option, "must be a text, or one that is Redacted")

const milliseconds = number(1)

const common = {
  handler: func,
  bind: optional(shape({ address: optional(text), port: optional(whole(0, 65_535)) })),
  attempts: optional(
    shape({
      maxFailures: optional(whole(0, Number.MAX_SAFE_INTEGER)),
      windowMs: optional(milliseconds),
      banMs: optional((value, option) => (value === Number.POSITIVE_INFINITY ? undefined : milliseconds(value, option)))
    })
  ),
  encoding: optional(oneOf(ENCODINGS))
}

/** The options of a Source RCON server besides its password. */
const source = shape({
  ...common,
  manners: optional(
    shape({
      maxBodyBytes: optional(whole(1, 2 ** 30)),
      mirror: optional(oneOf(["none", "source", "text"])),
      login: optional(oneOf(["reply-and-verdict", "verdict"])),
      reads: optional(oneOf(["all", "first-of-segment"])),
      replies: optional(oneOf(["first-part", "whole"]))
    })
  ),
  maxConnections: optional(whole(1, 65_535)),
  loginTimeoutMs: optional(milliseconds),
  idleTimeoutMs: optional(milliseconds),
  segments: optional(
    shape({
      segmentBytes: optional(whole(1, 2 ** 30)),
      cutAt: optional(all(list, each(whole(0, Number.MAX_SAFE_INTEGER)))),
      joinMs: optional(number(0))
    })
  )
})

const udp = shape({
  ...common,
  dialect: optional(oneOf(SERVED.slice(1))),
  queries: optional(shape({ respond: func })),
  maxTextBytes: optional(whole(1, 65_535))
})

/** What `startSource` takes. */
export const sourceShape = all(shape({ password }), source)

/** What `startGoldSource` takes. */
export const udpShape = all(shape({ password }), udp)

/** What `startRconServer` takes besides what runs it; the rest is looked at by the server of that engine. */
export const promiseRconShape = shape({ engine: oneOf(SERVED), password: plainPassword })
