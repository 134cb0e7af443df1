/**
 * What the options of servers must look like, see `edge.ts`.
 *
 * @module
 */
import { Address } from "@sourcewire/core"
import * as Layer from "effect/Layer"
import { masterProfileNames } from "../MasterResponder.ts"
import { isProfileName, profileNames } from "../profiles/index.ts"
import { all, type Check, each, flag, func, list, must, number, oneOf, optional, shape, text, whole } from "./edge.ts"
import { faults, limit, limitOptions, oversize, profileShape } from "./shapes.ts"

const profile: Check = (value, option) =>
  typeof value === "object" && value !== null
    ? profileShape(value, option)
    : must(
        `one of ${profileNames.join(", ")}, or a profile`,
        (name) => typeof name === "string" && isProfileName(name)
      )(value, option)

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
