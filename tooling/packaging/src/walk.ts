/** Runs steps one after another. Each step prints its result, or the reason of its failure. The following steps run in any case. */

/** A step. `find` returns its result in one line, or rejects. */
export interface Step {
  readonly name: string
  readonly find: () => Promise<string>
}

/** Runs all steps and reports each. Returns whether all succeeded. */
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
