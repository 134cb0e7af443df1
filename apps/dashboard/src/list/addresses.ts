/** Finds the addresses in a text that was pasted or read from a file. */

/** Maximum number of addresses that the user can add in one step. */
export const MOST = 1000

const textsIn = (json: unknown): ReadonlyArray<string> => {
  if (typeof json === "string") return [json]
  if (Array.isArray(json)) return json.flatMap(textsIn)
  if (typeof json !== "object" || json === null) return []
  const { addr, address, targets } = json as Readonly<Record<string, unknown>>
  return textsIn(address ?? addr ?? targets)
}

/**
 * The addresses in a text, without duplicates. A line can contain several addresses, and a comment after `#`. The text can also be JSON
 * from another program: an array of addresses, or an array of objects whose property `address`, `addr` or `targets` contains addresses.
 */
export const addressesIn = (text: string): ReadonlyArray<string> => {
  const trimmed = text.replace(/^\ufeff/, "").trim()
  if (trimmed.startsWith("[")) {
    try {
      const found = textsIn(JSON.parse(trimmed))
      if (found.length > 0) return [...new Set(found.map((one) => one.trim()))]
    } catch {
      // The text is not JSON. It may be a list of addresses that begins with an IPv6 address in brackets.
    }
  }
  const words = trimmed.split(/\r?\n/).flatMap((line) => line.replace(/(^|\s)#.*$/, "").split(/[\s,;]+/))
  return [...new Set(words.filter((word) => word !== ""))]
}

/** Splits the addresses into parts that are small enough for one request. */
export const inParts = (addresses: ReadonlyArray<string>, most: number): ReadonlyArray<ReadonlyArray<string>> => {
  const parts: Array<Array<string>> = []
  let length = Number.POSITIVE_INFINITY
  for (const address of addresses) {
    const size = new TextEncoder().encode(JSON.stringify(address)).length + 1
    if (length + size > 2500 || parts.at(-1)!.length >= most) {
      parts.push([])
      length = 0
    }
    parts.at(-1)!.push(address)
    length += size
  }
  return parts
}
