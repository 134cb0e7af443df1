/**
 * The server list of a master, sorted by address. A request contains the last address of the previous page. Because the list is sorted, the
 * master finds the next page even if the list no longer contains this address.
 *
 * @module
 */

/** A server on the list. If a field is absent, the server does not match a filter that requires a value of this field. */
export interface ListedServer {
  /**
   * IPv4 address and port, for example `192.0.2.1:27015`. The protocol does not support other addresses: a server with any other address is
   * omitted from the list.
   */
  readonly address: string
  /** Region code of the protocol (default: 255, which means all regions). */
  readonly region?: number
  readonly name?: string
  /** Folder of the game, for example `cstrike`. */
  readonly gamedir?: string
  readonly map?: string
  readonly version?: string
  readonly appId?: number
  readonly players?: number
  readonly maxPlayers?: number
  readonly dedicated?: boolean
  /** Whether Valve Anti-Cheat is on. */
  readonly secure?: boolean
  readonly linux?: boolean
  readonly passwordProtected?: boolean
  /** Whether the server is a spectator proxy. */
  readonly proxy?: boolean
  readonly whitelisted?: boolean
  /** The server's tags, as in `sv_tags`. */
  readonly tags?: ReadonlyArray<string>
  readonly hiddenTags?: ReadonlyArray<string>
}

/**
 * Converts an IPv4 address with a port to a number. If addresses are sorted by these numbers, they are sorted by IP address, and addresses
 * with the same IP address by port. Returns `undefined` if the text is not an IPv4 address with a port, and 0 for 0.0.0.0:0.
 */
export const parseKey = (address: string): number | undefined => {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3}):(\d{1,5})$/.exec(address)
  if (match === null) return undefined
  const [a, b, c, d, port] = match.slice(1).map(Number) as [number, number, number, number, number]
  if (Math.max(a, b, c, d) > 255 || port > 65_535) return undefined
  return (((a * 256 + b) * 256 + c) * 256 + d) * 65_536 + port
}

export interface Entry {
  readonly key: number
  readonly server: ListedServer
}

/**
 * Sorts the servers by the numbers of their addresses. Omits servers with an invalid address. If several servers have the same address,
 * only the last of these servers remains.
 */
export const sorted = (servers: ReadonlyArray<ListedServer>): ReadonlyArray<Entry> => {
  const byKey = new Map<number, Entry>()
  for (const server of servers) {
    const key = typeof server?.address === "string" ? parseKey(server.address) : undefined
    if (key !== undefined && key !== 0) byKey.set(key, { key, server })
  }
  return [...byKey.values()].sort((a, b) => a.key - b.key)
}

/** Index of the first entry whose key is greater than `key`. */
export const indexAfter = (entries: ReadonlyArray<Entry>, key: number): number => {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.key <= key) low = middle + 1
    else high = middle
  }
  return low
}
