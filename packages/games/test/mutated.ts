/** Returns a copy of the bytes with one to four errors: truncations, and bytes that are removed, replaced or inserted. */
export const mutated = (bytes: ReadonlyArray<number>, random: () => number): ReadonlyArray<number> => {
  const below = (limit: number): number => Math.floor(random() * limit)
  let result = [...bytes]
  for (let i = 1 + below(4); i > 0; i--) {
    const at = below(result.length)
    const kind = below(4)
    if (kind === 0) result = result.slice(0, at)
    else result.splice(at, kind - 1, ...Array.from({ length: below(3) }, () => below(256)))
  }
  return result
}
