/**
 * For tests that hold our results against somebody else's program. On a developer's machine such a test is left out if
 * the program is missing; in CI (`CI` set, as `.ci/run` does) its absence is a failure, or nobody would notice.
 *
 *     const quakestat = externalProgram("quakestat", "qstat")
 *     it.skipIf(quakestat === undefined)("reads our server", …)
 */
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Path of a program found on `PATH`. */
export const programOnPath = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable)

/** The same; in CI it has to be there. `debianPackage` is what the message tells to install. */
export const externalProgram = (name: string, debianPackage: string): string | undefined => {
  const path = programOnPath(name)
  if (path === undefined && process.env["CI"] !== undefined) {
    throw new Error(`${name} is not installed, and CI does not leave tests out: apt-get install ${debianPackage}`)
  }
  return path
}
