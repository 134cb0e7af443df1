/** Flags of whole numbers that may stand alone: `--watch` as `--watch 60`. */
import type { Flag, Flags } from "../options.ts"
import { isFlag } from "./plain.ts"

const aloneOf = (flags: Flags): ReadonlyArray<readonly [name: string, value: number]> =>
  Object.values(flags)
    .filter((one): one is Flag<unknown> => isFlag(one))
    .flatMap(({ alone, name }) => (alone === undefined ? [] : [[`--${name}`, alone] as const]))

/** The command line with the values of such flags where no number follows. */
export const withAlone = (flags: Flags, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const values = new Map(aloneOf(flags))
  return args.flatMap((arg, i) => {
    const value = values.get(arg)
    return value === undefined || /^\d+$/.test(args[i + 1] ?? "") ? [arg] : [arg, String(value)]
  })
}
