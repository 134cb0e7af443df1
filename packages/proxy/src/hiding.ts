/**
 * Removes the address of a game server from its replies, because an attacker who knows the address can flood the server directly. The names
 * of servers and players are not changed. Ports are changed only if `publicAddress` is set, because players need the ports to join.
 */
import { parseAddress } from "@sourcewire/core"
import type { RulesReply } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { Replies } from "./cache.ts"

export interface Hiding {
  /** The game server's host as configured (a name or a numeric address), and its numeric address, if it is known. */
  readonly hosts: ReadonlyArray<string>
  /** `host:port` to show in place of the game server's address. */
  readonly shown: string
  /** Whether players join at the address `shown`. If true, the port of `shown` replaces the game port in INFO. */
  readonly isForPlayers: boolean
}

/** The names of rules whose values always contain an address of the game server. `GameServer` is a rule of HLTV. */
const ADDRESS_RULES: ReadonlySet<string> = new Set(["gameserver", "hostip", "ip", "net_address", "net_public_adr"])

/** Whether a text contains this host. The result is false if the host is only a part of a longer name. */
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
    // Remove `addressHex`, the original bytes: the encoder would write them instead of the new text.
    const { addressHex: _, ...rest } = message
    return { ...rest, address: shown }
  })
}

/** Removes the rules that contain the address of the game server. */
export const hideInRules = (reply: RulesReply, { hosts }: Hiding): RulesReply => {
  const rules = reply.rules.filter(
    ({ name, value }) => !ADDRESS_RULES.has(name.toLowerCase()) && !hosts.some((host) => mentions(value, host))
  )
  const hidden = reply.rules.length - rules.length
  // Some engines announce fewer rules than they send. For these engines, the difference can be negative.
  return hidden === 0 ? reply : { ...reply, rules, announced: Math.max(0, reply.announced - hidden) }
}
