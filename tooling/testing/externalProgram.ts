/**
 * Finds third-party programs, so that tests can compare the results of these programs with ours. If a program is missing on a developer's
 * machine, its tests are skipped. If a program is missing in CI (if `CI` is set, as in `.ci/run`), its tests fail.
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

/** The path of a program in `PATH`. */
export const programOnPath = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable)

/** The path of a program in `PATH`. If the program is missing in CI, throws an error that names the Debian package to install. */
export const externalProgram = (name: string, debianPackage: string): string | undefined => {
  const path = programOnPath(name)
  if (path === undefined && process.env["CI"] !== undefined) {
    throw new Error(`${name} is not installed, and CI must not skip tests: apt-get install ${debianPackage}`)
  }
  return path
}
