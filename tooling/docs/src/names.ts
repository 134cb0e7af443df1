/**
 * Counts the public names of all packages, the members of a namespace one by one, and fails above the bound of ADR 11, or where a
 * name is of use to nobody: in no guide, no example, and no code outside its own package.
 *
 *     pnpm names [--list]
 *
 * @module
 */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseSync } from "oxc-parser"
import type { Module } from "./surface.ts"
import { published, root } from "./declarations.ts"
import { sectionsOf } from "./surface.ts"

const MOST_NAMES = 160

/** Not counted: what is for whoever brings a loop of his own, and names of the main entry that stand in each transport again. */
const NOT_COUNTED: ReadonlySet<string> = new Set(["./machines", "./promises"])

interface Name {
  /** The package's folder. */
  readonly folder: string
  /** Where it is imported from. */
  readonly specifier: string
  readonly namespace: string | undefined
  readonly name: string
}

const sourcesOf = (folder: string): ReadonlyMap<string, Module> => {
  const cwd = join(root, "packages", folder, "src")
  return new Map(
    globSync("**/*.ts", { cwd }).map((path) => {
      const text = readFileSync(join(cwd, path), "utf8")
      return [path.replace(/\.ts$/, "").replaceAll("\\", "/"), { text, parsed: parseSync(path, text) }]
    })
  )
}

const namesOf = ({ exports, folder, name: own }: ReturnType<typeof published>[number]): ReadonlyArray<Name> => {
  const modules = sourcesOf(folder)
  return Object.entries(exports)
    .filter(([key]) => !NOT_COUNTED.has(key))
    .flatMap(([key, path]) =>
      sectionsOf(modules, path.slice("./src/".length, -".ts".length)).flatMap(({ exported, namespace }) =>
        exported.map(({ name }) => ({ folder, specifier: own + key.slice(1), namespace, name }))
      )
    )
}

/** The files in which a use counts, with what they import from each specifier. */
const readers = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024
})
  .split("\0")
  .filter((path) => /\.(md|tsx?|mts|mjs|js)$/.test(path) && globSync(path, { cwd: root }).length > 0)
  .map((path) => {
    const text = readFileSync(join(root, path), "utf8")
    const imports = new Map<string, Set<string>>()
    for (const [, clause, specifier] of text.matchAll(
      /(?:import|export)\s+([^"';]*?)\s+from\s+"(@sourcewire\/[^"]+)"/g
    )) {
      const known = imports.get(specifier!) ?? new Set<string>()
      for (const [word] of clause!.replace(/\bas\s+\w+/g, "").matchAll(/\w+/g)) known.add(word)
      imports.set(specifier!, known)
    }
    return { path, text, imports }
  })

/** The transports have the same names, those of core's promises among them: a use of one is a use of all. */
const isTransport = /^@sourcewire\/transport-\w+$/

const isUsed = ({ folder, name, namespace, specifier }: Name): boolean =>
  readers.some(
    ({ imports, path, text }) =>
      (path.endsWith(".md") || !path.startsWith(`packages/${folder}/`)) &&
      [...imports].some(
        ([from, words]) =>
          (from === specifier ||
            (isTransport.test(from) && (isTransport.test(specifier) || specifier === "@sourcewire/core"))) &&
          words.has(namespace ?? name)
      ) &&
      (namespace === undefined || text.includes(`${namespace}.${name}`))
  )

const all = published().map((one) => ({ one, names: namesOf(one) }))
const total = all.reduce((sum, { names }) => sum + names.length, 0)
const unused = all.flatMap(({ names }) => names).filter((name) => !isUsed(name))

for (const { names, one } of all) {
  for (const key of Object.keys(one.exports)) {
    const own = names.filter(({ specifier }) => specifier === one.name + key.slice(1))
    if (!NOT_COUNTED.has(key)) console.log(`${(one.name + key.slice(1)).padEnd(36)}${String(own.length).padStart(5)}`)
    if (process.argv.includes("--list")) console.log(own.map(({ name }) => name).join(" "))
  }
}
console.log(`${"all".padEnd(36)}${String(total).padStart(5)}`)
for (const { name, namespace, specifier } of unused) {
  console.error(
    `${specifier}: ${namespace === undefined ? "" : `${namespace}.`}${name} is used nowhere outside its package`
  )
}
if (total > MOST_NAMES) console.error(`${total} public names, at most ${MOST_NAMES} are meant to be`)
process.exitCode = total > MOST_NAMES || unused.length > 0 ? 1 : 0
