/** Shapes of the options of this package's functions. */
import { all, each, flag, func, list, must, number, optional, part, shape, text } from "@sourcewire/inside/checks"
import { limitOptions, local, oversize } from "@sourcewire/server/machines"

const anyNumber = must("a number", (value) => typeof value === "number")

const proxyLimit = shape({ ...limitOptions, perSecond: anyNumber })

/** Only the types of these options are checked here. `checkedTargets` checks addresses and times, and reports the server with the error. */
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

const savedReply = optional(part({ takenAt: number(Number.MIN_SAFE_INTEGER), datagrams: all(list, each(text)) }))

const servers = all(list, each(proxyServer))

export const proxyServersShape = shape({ servers })

/**
 * The saved cache of one game server, from an earlier proxy. Unknown fields are allowed, because a newer version may have saved more
 * fields.
 */
const saved = part({
  upstream: text,
  address: optional(text),
  oversize: optional(oversize),
  replies: part({ info: savedReply, players: savedReply, rules: savedReply })
})

export const proxyShape = shape({
  servers,
  saved: optional(all(list, each(saved))),
  onEvent: optional(func)
})
