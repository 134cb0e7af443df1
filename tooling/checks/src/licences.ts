/**
 * Checks that all third-party code that users get has a permissive licence, like Sourcewire's own licence. The check covers all packages
 * that our packages and apps import, and the direct and indirect dependencies of these packages. The same rule applies to packages that we
 * bundle and to packages that users install.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { findImports, packageName } from "./source.ts"
import { conclude, files, packages, read, root } from "./workspace.ts"

const permissive =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Zlib)$/

/**
 * Returns the directory of an installed package, or `undefined` if the package is optional and not installed. As in Node, `node_modules`
 * is searched first in the directory `from`, and then in each parent directory.
 */
const locate = (name: string, from: string): string | undefined => {
  for (let dir = from; ; dir = dirname(dir)) {
    const candidate = join(dir, "node_modules", name)
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate)
    if (dirname(dir) === dir) return undefined
  }
}

const problems: Array<string> = []
const seen = new Set<string>()

const visit = (name: string, from: string, by: string): void => {
  const dir = locate(name, from)
  if (dir === undefined || seen.has(dir)) return
  seen.add(dir)
  const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"))
  const licence = String(manifest.license ?? "none")
  // With `(MIT OR X)`, the user chooses one of the two licences, so one permissive licence suffices.
  const choices = licence.replace(/[()]/g, "").split(" OR ")
  if (!choices.some((choice) => permissive.test(choice))) {
    problems.push(`${manifest.name}@${manifest.version}, used by ${by}: licence ${licence}`)
  }
  for (const dependency of Object.keys(manifest.dependencies ?? {})) visit(dependency, dir, manifest.name)
}

const own = new Set(packages().map(({ manifest }) => manifest.name))
for (const file of files().filter((path) => /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path))) {
  for (const { specifier } of findImports(file, read(file))) {
    const name = packageName(specifier)
    if (!specifier.startsWith(".") && name !== "node:*" && !own.has(name)) visit(name, dirname(join(root, file)), file)
  }
}
conclude(problems, `${seen.size} packages that reach users are freely licensed`)
