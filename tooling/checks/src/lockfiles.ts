/**
 * What the two lockfiles pin, and what is installed beside that: pure functions of texts, and a walk over installed packages.
 */
import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"

/** Of a locked package: whether its content is pinned by a hash, and whether it brings packages inside itself. */
export interface Locked {
  readonly hashed: boolean
  readonly bundles: boolean
}

/** Packages by `name@version`. */
export type Lock = ReadonlyMap<string, Locked>

/** SHA-512 of what is unpacked. SHA-1, which old lockfiles have, pins nothing. */
const isHash = (integrity: string | undefined): boolean => /^sha512-[\w+/]{86}==$/.test(integrity ?? "")

/** The section `packages` of a pnpm-lock.yaml, which has a line per package and deeper ones that belong to it. */
export const readPnpmLock = (text: string): Lock => {
  const section = text.split(/^(?=\S)/m).find((part) => part.startsWith("packages:")) ?? ""
  return new Map(
    section
      .split(/^ {2}(?=\S)/m)
      .slice(1)
      .map((entry) => {
        const name = /^'?([^'\n]+?)'?:/.exec(entry)![1]!
        const integrity = /^ {4}resolution: \{integrity: ([^,}]+)\}$/m.exec(entry)?.[1]
        return [name, { hashed: isHash(integrity), bundles: /^ {4}bundledDependencies:/m.test(entry) }]
      })
  )
}

/** A package-lock.json of version 3. */
export const readNpmLock = (text: string): Lock => {
  const { packages } = JSON.parse(text) as {
    readonly packages: Readonly<
      Record<string, { readonly name?: string; readonly version?: string; readonly integrity?: string }>
    >
  }
  return new Map(
    Object.entries(packages)
      .filter(([path]) => path !== "")
      .map(([path, { name, version, integrity }]) => [
        `${name ?? path.replace(/^.*node_modules\//, "")}@${version}`,
        { hashed: isHash(integrity), bundles: false }
      ])
  )
}

/** Packages that a lockfile names without saying what is in them. */
export const unhashed = (lock: Lock): ReadonlyArray<string> =>
  [...lock].filter(([, { hashed }]) => !hashed).map(([name]) => name)

const namesIn = (modules: string): ReadonlyArray<string> => {
  const names = readdirSync(modules, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."))
  return names.flatMap(({ name }) =>
    name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name]
  )
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** What an entry of `.bin` starts: a link's end, or what pnpm wrote at the foot of the script it put there. */
const started = (file: string): string | undefined => {
  if (lstatSync(file).isSymbolicLink()) return realpathSync(file)
  const target = /^# cmd-shim-target=(.+)$/m.exec(readFileSync(file, "utf8"))?.[1]
  return target === undefined ? undefined : realpathSync(resolve(dirname(file), target))
}

/**
 * Walks from the packages of a workspace over everything that they can import or start, and gives a sentence for each thing
 * that no lockfile answers for. `folders` are the packages, relative to `root`, which is one of them as `.`.
 */
export const unlocked = (root: string, folders: ReadonlyArray<string>, lock: Lock): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const seen = new Set<string>()
  const told = (path: string): string => relative(root, path).replaceAll(sep, "/")
  const lockedAs = (directory: string) => {
    const { name, version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"))
    return { id: `${name}@${version}`, locked: lock.get(`${name}@${version}`) }
  }

  const visitPackage = (directory: string): void => {
    const { id, locked } = lockedAs(directory)
    if (locked?.hashed !== true) problems.push(`${told(directory)}: no lockfile has a hash of ${id}`)
    const inside = join(directory, "node_modules")
    const brought = isThere(inside) ? namesIn(inside) : []
    if (brought.length > 0 && locked?.bundles !== true)
      problems.push(`${told(inside)}: ${brought.join(", ")} came from elsewhere than a lockfile`)
    // Its own dependencies lie beside it.
    const modules = `${sep}node_modules${sep}`
    visitModules(directory.slice(0, directory.lastIndexOf(modules) + modules.length - 1))
  }

  const visitPrograms = (bin: string): void => {
    // Windows has three files for one.
    for (const name of readdirSync(bin).filter((file) => !/\.(cmd|ps1)$/i.test(file))) {
      const target = told(started(join(bin, name)) ?? root)
      const owner = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(target)?.[0]
      const isLocked = owner !== undefined && lockedAs(join(root, owner)).locked?.hashed === true
      const isOurs = owner === undefined && folders.some((folder) => target.startsWith(`${folder}/`))
      if (!isLocked && !isOurs) problems.push(`${told(join(bin, name))}: starts what no lockfile has`)
    }
  }

  const visitModules = (modules: string): void => {
    if (!isThere(modules)) return
    for (const name of namesIn(modules)) {
      const directory = realpathSync(join(modules, name))
      if (seen.has(directory)) continue
      seen.add(directory)
      const place = told(directory)
      if (place.includes("node_modules/") && !place.startsWith("..")) visitPackage(directory)
      else if (!folders.includes(place)) problems.push(`${told(join(modules, name))}: leads to ${place}`)
    }
    if (isThere(join(modules, ".bin"))) visitPrograms(join(modules, ".bin"))
  }

  for (const folder of folders) visitModules(join(root, folder, "node_modules"))
  return problems
}
