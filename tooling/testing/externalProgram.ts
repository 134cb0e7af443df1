/**
 * Finds third-party programs, so that tests can compare the results of these programs with ours. If a program is missing on a developer's
 * machine, the tests that need this program are skipped. In CI, these tests fail. A test runs in CI if the variable `CI` is set, as in
 * `.ci/run`.
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

/**
 * Returns the path of a program in `PATH`, or `undefined` if the program is missing. In CI, this function instead throws an error that
 * names the Debian package to install.
 */
export const externalProgram = (name: string, debianPackage: string): string | undefined => {
  const path = programOnPath(name)
  if (path === undefined && process.env["CI"] !== undefined) {
    throw new Error(`${name} is not installed, and CI must not skip tests: apt-get install ${debianPackage}`)
  }
  return path
}
