/**
 * Finds third-party programs for tests that compare their results with ours. If the program is missing, such a test is skipped on a
 * developer's machine and fails in CI (if `CI` is set, as in `.ci/run`).
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

/** Path of a program found on `PATH`. If the program is missing in CI, throws an error that names the Debian package to install. */
export const externalProgram = (name: string, debianPackage: string): string | undefined => {
  const path = programOnPath(name)
  if (path === undefined && process.env["CI"] !== undefined) {
    throw new Error(`${name} is not installed, and CI must not skip tests: apt-get install ${debianPackage}`)
  }
  return path
}
