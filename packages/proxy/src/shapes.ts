/** What the options of this package's functions must look like. */
import {
  all,
  each,
  flag,
  func,
  limitOptions,
  list,
  local,
  must,
  number,
  optional,
  oversize,
  shape,
  text
} from "@sourcewire/server/machines"

const anyNumber = must("a number", (value) => typeof value === "number")

const proxyLimit = shape({ ...limitOptions, perSecond: anyNumber })

/** Of what is left, kinds of values only: `targetsOf` says what is wrong with an address or a time, and of which server. */
const proxyServer = shape({
  upstream: text,
  ...local,
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

export const proxyServersShape = shape({ servers: all(list, each(proxyServer)) })

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
