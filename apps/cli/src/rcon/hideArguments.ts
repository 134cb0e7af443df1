/**
 * A password given as a flag stands in the list of processes, for every user of the computer to read. This takes it out of there,
 * as far as the system lets a program change its own entry; for a moment after the start it is visible all the same.
 */

const STARS = "******"
const FLAG = "--password"

/** The arguments with the value of `--password` starred out; the same array when there is none. */
export const withoutPasswords = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.some((arg) => arg === FLAG || arg.startsWith(`${FLAG}=`))
    ? args.map((arg, i) => (arg.startsWith(`${FLAG}=`) ? `${FLAG}=${STARS}` : args[i - 1] === FLAG ? STARS : arg))
    : args

/** Overwrites this process's command line where it holds a password. On Linux and macOS `ps` then shows the stars. */
export const hideArguments = (): void => {
  const [node = "", program = "", ...args] = process.argv
  const shown = withoutPasswords(args)
  if (shown === args) return
  process.title = ["sourcewire", ...shown].join(" ")
  process.argv = [node, program, ...shown]
}
