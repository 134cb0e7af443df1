/**
 * Hides the value of `--password` in the process list, if the system allows a program to change its entry in this list. Before the program
 * changes the entry, the password is visible for a moment.
 */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs"

const STARS = "******"
const FLAG = "--password"

/**
 * Returns the arguments, but with asterisks in place of the value of `--password`. If this flag is absent, the function returns the array
 * `args` itself.
 */
export const withoutPasswords = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.some((arg) => arg === FLAG || arg.startsWith(`${FLAG}=`))
    ? args.map((arg, i) => (arg.startsWith(`${FLAG}=`) ? `${FLAG}=${STARS}` : args[i - 1] === FLAG ? STARS : arg))
    : args

/**
 * The indices of the fields in `/proc/self/stat` that contain the memory addresses of the command line. The first field after the program's
 * name has the index 0.
 */
const ARGUMENTS_BEGIN = 45
const ARGUMENTS_END = 46

/**
 * Overwrites the memory that Linux shows as the command line of this process. This function is necessary only on Bun, because on Node, an
 * assignment to `process.title` overwrites this memory.
 */
const overwrite = (title: string): void => {
  const numbers = readFileSync("/proc/self/stat", "latin1").split(") ").at(-1)!.split(" ").map(Number)
  const begin = numbers[ARGUMENTS_BEGIN]!
  const line = Buffer.alloc(numbers[ARGUMENTS_END]! - begin)
  line.write(title, 0, line.length - 1)
  const memory = openSync("/proc/self/mem", "r+")
  writeSync(memory, line, 0, line.length, begin)
  closeSync(memory)
  writeFileSync("/proc/self/comm", title)
}

/**
 * Replaces the password in the command line of this process with asterisks, which `ps` then shows. If the program runs on Bun and macOS,
 * `ps` still shows the password.
 */
export const hideArguments = (): void => {
  const [node = "", program = "", ...args] = process.argv
  const shown = withoutPasswords(args)
  if (shown === args) return
  const title = ["sourcewire", ...shown].join(" ")
  process.title = title
  if (process.versions["bun"] !== undefined && process.platform === "linux") {
    try {
      overwrite(title)
    } catch {
      // If /proc is missing, the memory cannot be overwritten. In this case, other users cannot read the command line either, because they
      // need /proc, too.
    }
  }
  process.argv = [node, program, ...shown]
}
