/** Steps one after the other, each of which says in a line what it found, or why it does not hold; the others still run. */

/** One thing that has to hold; `find` says in a line what it found, or rejects. */
export interface Step {
  readonly name: string
  readonly find: () => Promise<string>
}

/** Goes through all steps and tells of each; whether all hold. */
export const walk = async (steps: ReadonlyArray<Step>, tell: (line: string) => void): Promise<boolean> => {
  const wide = Math.max(...steps.map(({ name }) => name.length))
  let isWhole = true
  for (const { find, name } of steps) {
    try {
      tell(`✓ ${name.padEnd(wide)}  ${await find()}`)
    } catch (error) {
      isWhole = false
      tell(`✗ ${name.padEnd(wide)}  ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return isWhole
}
