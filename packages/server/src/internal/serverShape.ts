/**
 * What the options of servers must look like, see `edge.ts`.
 *
 * @module
 */
import { Address } from "@sourcewire/core"
import { ENCODINGS } from "@sourcewire/protocol"
import * as Layer from "effect/Layer"
import { faultSwitches } from "../Faults.ts"
import { masterProfileNames } from "../MasterResponder.ts"
import type { Profile, RequestKind } from "../Profile.ts"
import { isProfileName, profileNames } from "../profiles/index.ts"
import { all, type Check, each, flag, func, list, must, number, oneOf, optional, shape, text, whole } from "./edge.ts"

const TRUSTED: ReadonlyArray<RequestKind> = ["info", "players", "rules", "ping", "getChallenge", "text"]
const REPLIES = ["legacyInfo", "players", "rules", "ping"]

/** One byte per character. */
const latin1 = must(
  "a text of characters up to \\xff",
  (value) => typeof value === "string" && /^[\0-\xff]*$/.test(value)
)

/** A reply, or a function that gives it. What is in a reply is looked at by `checkProfile`. */
const live = must("a reply or a function", (value) => ["function", "object"].includes(typeof value) && value !== null)

const challenge = shape({
  bind: optional(oneOf(["address", "endpoint"])),
  lifetimeMs: optional(number(1)),
  onWrong: optional(oneOf(["challenge", "silence"])),
  getChallenge: optional(flag),
  constant: optional(whole(-(2 ** 31), 2 ** 31 - 1))
})

const oversize = shape({
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

const profileShape = shape({
  name: text,
  info: optional(live),
  legacyInfo: optional(live),
  firstInfo: optional(oneOf(["info", "legacy"])),
  players: optional(live),
  hidesPlayers: optional(flag),
  rules: optional(live),
  ping: optional(latin1),
  texts: optional(each(textAnswer)),
  challenge: optional(challenge),
  trusts: optional(all(list, each(oneOf(TRUSTED)))),
  oversize,
  encoding: optional(oneOf(ENCODINGS))
} satisfies Readonly<Partial<Record<keyof Profile, Check>>>)

const profile: Check = (value, option) =>
  typeof value === "object" && value !== null
    ? profileShape(value, option)
    : must(
        `one of ${profileNames.join(", ")}, or a profile`,
        (name) => typeof name === "string" && isProfileName(name)
      )(value, option)

const FAULTS: Readonly<Record<(typeof faultSwitches)[number]["takes"], Check>> = {
  chance: number(0, 1),
  count: whole(0, Number.MAX_SAFE_INTEGER),
  milliseconds: number(0),
  bytes: whole(0, 65_535),
  nothing: flag
}

const faults = shape({
  ...Object.fromEntries(faultSwitches.map(({ key, takes }) => [key, optional(FAULTS[takes])])),
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
})

const limitOptions = {
  perSecond: must("a number above 0", (value) => typeof value === "number" && value > 0 && value < Infinity),
  burst: optional(number(1)),
  answerBytes: optional(number(1)),
  addresses: optional(whole(1, 2 ** 24))
}

/** `RateLimitOptions`. */
export const limit = shape(limitOptions)

/** Where to listen, and with what risk. */
const listening = {
  host: optional(
    must(
      "a numeric address, as in 127.0.0.1 or ::1",
      (value) => typeof value === "string" && Address.canonicalAddress(value) !== undefined
    )
  ),
  port: optional(whole(0, 65_535)),
  limit: optional(limit),
  allowAmplification: optional(flag)
}

/** The options of an emulated server. */
export const serverShape = shape({
  ...listening,
  profile: optional(profile),
  faults: optional(faults),
  intercept: optional(func),
  responder: optional(shape({}))
})

/** The options of a master server. */
export const masterShape = shape({
  ...listening,
  servers: must("an array of servers or a function", (value) => Array.isArray(value) || typeof value === "function"),
  profile: optional(oneOf(masterProfileNames)),
  answersStrangers: optional(flag)
})

const anyNumber = must("a number", (value) => typeof value === "number")

const proxyLimit = shape({ ...limitOptions, perSecond: anyNumber })

/** Kinds of values only: `targetsOf` says what is wrong with an address or a number, and of which server. */
const proxyServer = shape({
  upstream: text,
  host: optional(text),
  port: optional(anyNumber),
  refreshMs: optional(anyNumber),
  rulesRefreshMs: optional(anyNumber),
  timeoutMs: optional(anyNumber),
  maxStaleMs: optional(anyNumber),
  limit: optional((value, option) => (value === "none" ? undefined : proxyLimit(value, option))),
  offlineName: optional(text),
  ping: optional(flag),
  hideUpstream: optional(flag),
  publicAddress: optional(text)
})

const savedReply = optional(shape({ takenAt: number(Number.MIN_SAFE_INTEGER), datagrams: all(list, each(text)) }))

/** The servers of a proxy. */
export const proxyServersShape = shape({ servers: all(list, each(proxyServer)) })

/** The options of a proxy. */
export const proxyShape = all(
  proxyServersShape,
  shape({
    saved: optional(
      all(
        list,
        each(
          shape({
            upstream: text,
            address: optional(text),
            oversize: optional(oversize),
            replies: shape({ info: savedReply, players: savedReply, rules: savedReply })
          })
        )
      )
    ),
    onEvent: optional(func)
  })
)

/** What runs it all, in the options of the Promise API. */
export const transportShape = shape({
  transport: must("the layer of a transport, as in NodeDatagrams.layer", Layer.isLayer)
})
