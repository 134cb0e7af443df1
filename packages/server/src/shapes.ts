/** Shapes of the options of this package's functions. */
import { InvalidOption } from "@sourcewire/core"
import { canonicalAddress } from "@sourcewire/core/address"
import { ENCODINGS } from "@sourcewire/protocol/wire"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  all,
  type Check,
  each,
  flag,
  func,
  list,
  must,
  number,
  oneOf,
  optional,
  part,
  shape,
  text,
  whole
} from "@sourcewire/inside/checks"
import { masterProfileNames } from "./master/profileNames.ts"
import type { Profile, RequestKind } from "./query/Profile.ts"

const TRUSTED: ReadonlyArray<RequestKind> = ["info", "players", "rules", "ping", "getChallenge", "text"]
const REPLIES = ["legacyInfo", "players", "rules", "ping"]

/** A text whose characters are all at most U+00FF, so that each character is one byte. */
const latin1 = must(
  "a text of characters up to \\xff",
  (value) => typeof value === "string" && /^[\0-\xff]*$/.test(value)
)

const withoutNul = must("a text without NUL", (value) => typeof value === "string" && !value.includes("\0"))

const isSteamId = (value: unknown): boolean =>
  typeof value === "string" && /^\d{1,20}$/.test(value) && BigInt(value) < 2n ** 64n

/** A reply, or a function that returns a reply. `checkProfile` checks the content of the reply. */
const live: Check = (value, option) =>
  typeof value === "function"
    ? undefined
    : (must("a reply or a function", (given) => typeof given === "object")(value, option) ?? part({})(value, option))

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

const handshakeBehaviour = {
  form: optional(oneOf(["source", "csgo"])),
  authProtocol: optional(whole(0, 2 ** 31 - 1)),
  protocolVersion: optional(whole(0, 255)),
  hostVersion: optional(whole(256, 2 ** 32 - 1)),
  lobbyType: optional(withoutNul),
  password: optional(withoutNul),
  redirect: optional(withoutNul)
}

/**
 * Accepts any value as the reply of a profile. The server checks the reply when a client requests it, so that an error does not stop the
 * server.
 */
const later: Check = () => undefined

/** The shape of a `Profile`, without a check of its replies. */
export const uncheckedProfile = shape({
  info: later,
  legacyInfo: later,
  players: later,
  rules: later,
  name: text,
  description: optional(text),
  firstInfo: optional(oneOf(["info", "legacy"])),
  hidesPlayers: optional(flag),
  ping: optional(latin1),
  texts: optional(each(textAnswer)),
  challenge: optional(challenge),
  handshake: optional(shape(handshakeBehaviour)),
  trusts: optional(all(list, each(oneOf(TRUSTED)))),
  oversize,
  encoding: optional(oneOf(ENCODINGS))
} satisfies Readonly<Record<keyof Profile, Check>>)

/** The shape of a `Profile`, including its replies. */
export const profileShape = all(
  uncheckedProfile,
  part({ info: optional(live), legacyInfo: optional(live), players: optional(live), rules: optional(live) })
)

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
  ...handshakeBehaviour,
  steamId: optional(must("a 64-bit number in decimal digits", isSteamId)),
  vac: optional(flag),
  version: optional(withoutNul),
  encryptionKey: optional(bytes),
  rest: optional(bytes),
  repliesToUnverified: optional(flag),
  limit: optional(method("allows")),
  challenge: optional(challengeOptions)
})

/** A text that is `Redacted`. The error message does not contain the value, because it may be a secret in clear text. */
const secret: Check = (value, option) =>
  Redacted.isRedacted(value) && typeof Redacted.value(value) === "string"
    ? undefined
    : new InvalidOption({ message: `${option} must be a Redacted text, created by Redacted.make of effect.`, option })

const count = whole(0, 9999)

/** The options for the local address and port. */
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

/** The value of `sv_logsecret`. The error message does not contain this value. */
const logSecret: Check = (value, option) =>
  secret(value, option) === undefined && /^[!-~]{1,64}$/.test(Redacted.value(value as Redacted.Redacted<string>))
    ? undefined
    : new InvalidOption({
        message: `${option} must be a Redacted text of 1 to 64 ASCII characters without spaces.`,
        option
      })

export const logSenderShape = shape({
  ...logOptions,
  secret: optional(logSecret),
  ...local,
  targets: optional(all(list, each(shape({ address: text, port: whole(0, 65_535) }))))
})

/** Options of an HTTP log sender: the values of the headers of its POST requests, and the pause before it repeats a failed request. */
export const httpLogOptions = {
  token: optional(text),
  instance: optional(text),
  address: optional(text),
  steamId: optional(text),
  map: optional(text),
  retryMs: optional(number(1, 3_600_000))
}

export const httpLogSenderShape = shape({ ...httpLogOptions, url: text })

/** The local address and port, the rate limit, and the permission to amplify. */
export const listening = {
  ...local,
  limit: optional(limit),
  allowAmplification: optional(flag)
}

export const masterShape = shape({
  ...listening,
  servers: must("an array of servers or a function", (value) => Array.isArray(value) || typeof value === "function"),
  profile: optional(oneOf(masterProfileNames)),
  repliesToUnverified: optional(flag)
})

/** The transport, in the options of the promise API. */
export const transportShape = part({
  transport: must("the layer of a transport, as in NodeDatagrams.layer", Layer.isLayer)
})

/** The values of the option `engine` of `startRconServer`. */
export const SERVED = ["source", "goldsource", "hltv", "quake"]

/** A password for the promise API, which also accepts clear text. */
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
  behaviour: optional(
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
  queries: optional(part({ respond: func })),
  maxTextBytes: optional(whole(1, 65_535))
})

/** Checks `engine` and `password` of `startRconServer`. The server of the selected engine checks the other options. */
export const promiseRconShape = part({ engine: oneOf(SERVED), password: plainPassword })
