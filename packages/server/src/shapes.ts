/** What the options of this package's functions must look like, see `edge.ts`. */
import { canonicalAddress } from "@sourcewire/core/machines"
import { ENCODINGS } from "@sourcewire/protocol/machines"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { all, type Check, each, flag, func, list, must, number, oneOf, optional, shape, text, whole } from "./edge.ts"
import { InvalidServer } from "./InvalidServer.ts"
import { masterProfileNames } from "./master/MasterResponder.ts"
import type { Profile, RequestKind } from "./query/Profile.ts"

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

const challengeShape = {
  bind: optional(oneOf(["address", "endpoint"])),
  lifetimeMs: optional(number(1))
}

const challenge = shape({
  ...challengeShape,
  onWrong: optional(oneOf(["challenge", "silence"])),
  getChallenge: optional(flag),
  constant: optional(whole(-(2 ** 31), 2 ** 31 - 1))
})

/** An `Oversize`. */
export const oversize = shape({
  how: oneOf(["split", "whole", "truncate"]),
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

/** A `Profile`, its replies included. */
export const profileShape = all(
  manners,
  shape({ info: optional(live), legacyInfo: optional(live), players: optional(live), rules: optional(live) })
)

/** The options of a `RateLimiter`. */
export const limitOptions = {
  perSecond: must("a number above 0", (value) => typeof value === "number" && value > 0 && value < Infinity),
  burst: optional(number(1)),
  answerBytes: optional(number(1)),
  addresses: optional(whole(1, 2 ** 24))
}

export const limit = shape(limitOptions)

const bytes = must("a Uint8Array", (value) => value instanceof Uint8Array)

export const challengeOptions = shape({
  ...challengeShape,
  rotateMs: optional(number(1)),
  makeKey: optional(func)
})

const method = (name: string): Check =>
  must(`an object that can ${name}`, (value) => typeof (value as Record<string, unknown> | null)?.[name] === "function")

export const responderOptions = shape({
  challenges: optional(method("accepts")),
  compress: optional(func),
  limit: optional(method("allows")),
  firstSplitId: optional(whole(-(2 ** 31), 2 ** 32 - 1)),
  onError: optional(func)
})

export const answering = method("respond")

export const handshakeOptions = shape({
  authProtocol: optional(whole(0, 2 ** 31 - 1)),
  encryptionKey: optional(bytes),
  rest: optional(bytes),
  answersStrangers: optional(flag),
  limit: optional(method("allows")),
  challenge: optional(challengeOptions)
})

/** A text that is `Redacted`. Says nothing of the value, which may be a secret in clear. */
const secret: Check = (value, option) =>
  Redacted.isRedacted(value) && typeof Redacted.value(value) === "string"
    ? undefined
    : new InvalidServer({ message: `${option} must be a Redacted text, as Redacted.make of effect gives it.`, option })

const count = whole(0, 9999)

/** Where something listens, or sends from. */
export const local = {
  host: optional(
    must(
      "a numeric address, as in 127.0.0.1 or ::1",
      (value) => typeof value === "string" && canonicalAddress(value) !== undefined
    )
  ),
  port: optional(whole(0, 65_535))
}

export const logTime = shape({ year: count, month: count, day: count, hour: count, minute: count, second: count })

const logOptions = {
  format: optional(oneOf(["source", "goldsource", "xash3d"])),
  secret: optional(secret),
  encoding: optional(oneOf(ENCODINGS))
}

export const logFormat = shape(logOptions)

/** `sv_logsecret`. Says nothing of the value either. */
const logSecret: Check = (value, option) =>
  secret(value, option) === undefined && /^[!-~]{1,64}$/.test(Redacted.value(value as Redacted.Redacted<string>))
    ? undefined
    : new InvalidServer({ message: `${option} must be 1 to 64 ASCII characters without blanks, Redacted.`, option })

export const logSenderShape = shape({
  ...logOptions,
  secret: optional(logSecret),
  ...local,
  targets: optional(all(list, each(shape({ address: text, port: whole(0, 65_535) }))))
})

/** Where to listen, and with what risk. */
export const listening = {
  ...local,
  limit: optional(limit),
  allowAmplification: optional(flag)
}

export const masterShape = shape({
  ...listening,
  servers: must("an array of servers or a function", (value) => Array.isArray(value) || typeof value === "function"),
  profile: optional(oneOf(masterProfileNames)),
  answersStrangers: optional(flag)
})

/** What runs it all, in the options of the Promise API. */
export const transportShape = shape({
  transport: must("the layer of a transport, as in NodeDatagrams.layer", Layer.isLayer)
})

/** Protocols that are served, as `startRconServer` names them. */
export const SERVED = ["source", "goldsource", "hltv", "quake"]

/** A Promise API takes it in clear as well. */
const plainPassword: Check = (value, option) => (typeof value === "string" ? undefined : secret(value, option))

const milliseconds = number(1)

const common = {
  handler: func,
  ...local,
  attempts: optional(
    shape({
      maxFailures: optional(whole(0, Number.MAX_SAFE_INTEGER)),
      windowMs: optional(milliseconds),
      banMs: optional((value, option) => (value === Number.POSITIVE_INFINITY ? undefined : milliseconds(value, option)))
    })
  ),
  encoding: optional(oneOf(ENCODINGS))
}

export const sourceShape = shape({
  password: secret,
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

export const udpShape = shape({
  password: secret,
  ...common,
  dialect: optional(oneOf(SERVED.slice(1))),
  queries: optional(shape({ respond: func })),
  maxTextBytes: optional(whole(1, 65_535))
})

/** What `startRconServer` takes besides what runs it; the rest is looked at by the server of that engine. */
export const promiseRconShape = shape({ engine: oneOf(SERVED), password: plainPassword })
