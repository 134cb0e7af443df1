/**
 * What a game server says about where it is, taken out of its answers: whoever can read its address can flood it past the proxy.
 *
 * Left as they are: names of servers and players, which people have chosen, and ports, without which nobody could join.
 */
import { parseAddress } from "@sourcewire/core"
import type { RulesReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { Replies } from "./cache.ts"

export interface Hiding {
  /** The game server's host, as a name or in numbers, in every spelling that is known. */
  readonly hosts: ReadonlyArray<string>
  /** `host:port` to say in place of the game server's. */
  readonly shown: string
  /** The port of `shown` is the one that players join by. */
  readonly isForPlayers: boolean
}

/** Rules that hold an address of the game server, whichever it is. HLTV has the first. */
const ADDRESS_RULES: ReadonlySet<string> = new Set(["gameserver", "hostip", "ip", "net_address", "net_public_adr"])

/** Whether a text holds this host, and not only as part of a longer one. */
const mentions = (text: string, host: string): boolean => {
  const literal = host.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const isIpv6 = host.includes(":")
  const pattern = isIpv6 ? `(?<![\\w:])${literal}(?![\\w:])` : `(?<![\\w.-])${literal}(?![\\w-]|\\.\\w)`
  return new RegExp(pattern, "i").test(text)
}

export const hideInInfo = (messages: Replies["info"], { isForPlayers, shown }: Hiding): Replies["info"] => {
  const address = parseAddress(shown)
  const port = isForPlayers && Result.isSuccess(address) ? address.success.port : undefined
  return messages.map((message) => {
    if (message._tag === "InfoReply") {
      return port === undefined || message.port === undefined ? message : { ...message, port }
    }
    // The bytes of the old address would win over the new text.
    const { addressHex: _, ...rest } = message
    return { ...rest, address: shown }
  })
}

/** RULES, without those that tell the address. */
export const hideInRules = (reply: RulesReply, { hosts }: Hiding): RulesReply => {
  const rules = reply.rules.filter(
    ({ name, value }) => !ADDRESS_RULES.has(name.toLowerCase()) && !hosts.some((host) => mentions(value, host))
  )
  const hidden = reply.rules.length - rules.length
  // Some engines announce fewer than come.
  return hidden === 0 ? reply : { ...reply, rules, announced: Math.max(0, reply.announced - hidden) }
}
