/**
 * What the parts of a server must look like that may also be put together by hand, see `edge.ts`. Knows no ready-made profile.
 *
 * @module
 */
import { ENCODINGS } from "@sourcewire/protocol/machines"
import * as Redacted from "effect/Redacted"
import { faultSwitches } from "../Faults.ts"
import { InvalidServer } from "../InvalidServer.ts"
import type { Profile, RequestKind } from "../Profile.ts"
import { all, type Check, each, flag, func, list, must, number, oneOf, optional, shape, text, whole } from "./edge.ts"

const TRUSTED: ReadonlyArray<RequestKind> = ["info", "players", "rules", "ping", "getChallenge", "text"]
const REPLIES = ["legacyInfo", "players", "rules", "ping"]

/** One byte per character. */
const latin1 = must(
  "a text of characters up to \\xff",
  (value) => typeof value === "string" && /^[\0-\xff]*$/.test(value)
)

/** A reply, or a function that gives it. What is in a reply is looked at by `checkProfile`. */
const live: Check = (value, option) =>
  typeof value === "function"
    ? undefined
    : (must("a reply or a function", (given) => typeof given === "object")(value, option) ?? shape({})(value, option))

/** `ChallengeManners`. */
const challenge = shape({
  bind: optional(oneOf(["address", "endpoint"])),
  lifetimeMs: optional(number(1)),
  onWrong: optional(oneOf(["challenge", "silence"])),
  getChallenge: optional(flag),
  constant: optional(whole(-(2 ** 31), 2 ** 31 - 1))
})

/** `Oversize`. */
export const oversize = shape({
  how: oneOf(["split", "whole", "cut"]),
  maxBytes: whole(1, 65_535),
  layout: optional(oneOf(["source", "source-no-size", "goldsource"])),
  bzip2: optional(flag),
  bufferBytes: optional(whole(7, 65_535))
})

const textAnswer: Check = (value, option) =>
  typeof value === "string"
    ? oneOf(REPLIES)(value, option)
    : shape({ latin1, challenge: optional(oneOf(["signed", "unsigned"])) })(value, option)

/** A `Profile` without its replies: what is wrong with one of these is told when it is asked for, and the server goes on. */
export const manners = shape({
  name: text,
  description: optional(text),
  firstInfo: optional(oneOf(["info", "legacy"])),
  hidesPlayers: optional(flag),
  ping: optional(latin1),
  texts: optional(each(textAnswer)),
  challenge: optional(challenge),
  trusts: optional(all(list, each(oneOf(TRUSTED)))),
  oversize,
  encoding: optional(oneOf(ENCODINGS))
} satisfies Readonly<Partial<Record<keyof Profile, Check>>>)

/** `Profile`. */
export const profileShape = all(
  manners,
  shape({ info: optional(live), legacyInfo: optional(live), players: optional(live), rules: optional(live) })
)

const FAULTS: Readonly<Record<(typeof faultSwitches)[number]["takes"], Check>> = {
  chance: number(0, 1),
  count: whole(0, Number.MAX_SAFE_INTEGER),
  milliseconds: number(0),
  bytes: whole(0, 65_535),
  nothing: flag
}

/** `Faults`. */
export const faults = shape({
  ...Object.fromEntries(faultSwitches.map(({ key, takes }) => [key, optional(FAULTS[takes])])),
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
})

export const limitOptions = {
  perSecond: must("a number above 0", (value) => typeof value === "number" && value > 0 && value < Infinity),
  burst: optional(number(1)),
  answerBytes: optional(number(1)),
  addresses: optional(whole(1, 2 ** 24))
}

/** `RateLimitOptions`. */
export const limit = shape(limitOptions)

const bytes = must("a Uint8Array", (value) => value instanceof Uint8Array)

/** `ChallengeOptions`. */
export const challengeOptions = shape({
  bind: optional(oneOf(["address", "endpoint"])),
  lifetimeMs: optional(number(1)),
  rotateMs: optional(number(1)),
  makeKey: optional(func)
})

const method = (name: string): Check =>
  must(`an object that can ${name}`, (value) => typeof (value as Record<string, unknown> | null)?.[name] === "function")

/** `ResponderOptions`. */
export const responderOptions = shape({
  challenges: optional(method("accepts")),
  compress: optional(func),
  limit: optional(method("allows")),
  firstSplitId: optional(whole(-(2 ** 31), 2 ** 32 - 1)),
  onError: optional(func)
})

/** What answers datagrams. */
export const answering = method("respond")

/** `HandshakeResponderOptions`. */
export const handshakeOptions = shape({
  authProtocol: optional(whole(0, 2 ** 31 - 1)),
  encryptionKey: optional(bytes),
  rest: optional(bytes),
  answersStrangers: optional(flag),
  limit: optional(method("allows")),
  challenge: optional(challengeOptions)
})

const count = whole(0, 9999)

/** `LogEntry.LogTime`. */
export const logTime = shape({ year: count, month: count, day: count, hour: count, minute: count, second: count })

/** `ProfileOptions`. */
export const profileOptions = shape({
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  name: optional(text),
  map: optional(text),
  port: optional(whole(0, 65_535)),
  people: optional(whole(0, 65_535))
})

// Says nothing of the value, which may be a secret in clear.
const secret: Check = (value, option) =>
  Redacted.isRedacted(value) && typeof Redacted.value(value) === "string"
    ? undefined
    : new InvalidServer({ message: `${option} must be a text that is Redacted.`, option })

/** `LogFormat`. */
export const logFormat = shape({
  format: optional(oneOf(["source", "goldsource", "xash3d"])),
  secret: optional(secret),
  encoding: optional(oneOf(ENCODINGS))
})

/** The kinds of `LogSenderOptions`, whose values are looked at where they are used. */
export const logSenderShape = shape({
  secret: optional(secret),
  bind: optional(shape({ address: optional(text), port: optional(whole(0, 65_535)) })),
  targets: optional(all(list, each(shape({}))))
})
