/** Finds the compared programs and their versions. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { programOnPath } from "../../testing/externalProgram.ts"

export const require = createRequire(import.meta.url)

/**
 * The version of an npm package. The function searches for the package's `package.json` in the file system, because some packages do not
 * export this file.
 */
export const npmVersion = (name: string): string => {
  for (let folder = dirname(require.resolve(name)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json")
    const manifest = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {}
    if (manifest["name"] === name) return manifest["version"]!
  }
}

/** The upstream version of a Debian package, without the suffix that Debian adds. */
export const debianVersion = (name: string): string =>
  execFileSync("dpkg-query", ["--show", "--showformat=${Version}", name], { encoding: "utf8" }).replace(
    /^\d+:|[+-](?:dfsg|\d+$).*$/g,
    ""
  )

/**
 * The compared programs that are Debian packages. Each key is a path or a command that exists if the package is installed. The value is the
 * name of this package.
 */
const DEBIAN: Readonly<Record<string, string>> = {
  quakestat: "qstat",
  rconclt: "rcon",
  "/usr/lib/ioquake3/ioq3ded": "ioquake3-server",
  "/usr/games/darkplaces-server": "darkplaces-server"
}

/** The Debian packages that are not installed. */
export const missingPackages = (): ReadonlyArray<string> =>
  Object.entries(DEBIAN).flatMap(([program, debian]) =>
    (program.startsWith("/") ? existsSync(program) : programOnPath(program) !== undefined) ? [] : [debian]
  )
