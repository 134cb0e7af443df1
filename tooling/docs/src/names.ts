/**
 * Counts the public names of all packages, the members of a namespace one by one, and fails above the bound of ADR 11, or where a
 * name is of use to nobody: in no guide, no example, and no code outside its own package.
 *
 *     pnpm names [--list]
 */
import { conclude, entriesOf, files, published, read } from "../../checks/src/workspace.ts"
import { modulesOf, sectionsOf } from "./surface.ts"

const MOST_NAMES = 160

/** Not counted: what is for whoever brings a loop of his own, and names of the main entry that stand in each transport again. */
const NOT_COUNTED: ReadonlySet<string> = new Set(["./machines", "./promises"])

interface Name {
  readonly dir: string
  /** Where it is imported from. */
  readonly specifier: string
  readonly namespace: string | undefined
  readonly name: string
}

const paths = files()
const sources = paths.filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path))
const modules = modulesOf(sources.map((path) => [path, read(path)]))

const entries = published.flatMap((one) =>
  entriesOf(one)
    .filter(({ key }) => !NOT_COUNTED.has(key))
    .map(({ module, specifier }) => ({
      specifier,
      names: sectionsOf(modules, module).flatMap(({ exported, namespace }) =>
        exported.map(({ name }): Name => ({ dir: one.dir, specifier, namespace, name }))
      )
    }))
)

/** The files in which a use counts, with what they import from each specifier. */
const readers = paths
  .filter((path) => /\.(md|tsx?|mts|mjs|js)$/.test(path))
  .map((path) => {
    const text = read(path)
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

const isUsed = ({ dir, name, namespace, specifier }: Name): boolean =>
  readers.some(
    ({ imports, path, text }) =>
      (path.endsWith(".md") || !path.startsWith(`${dir}/`)) &&
      [...imports].some(
        ([from, words]) =>
          (from === specifier ||
            (isTransport.test(from) && (isTransport.test(specifier) || specifier === "@sourcewire/core"))) &&
          words.has(namespace ?? name)
      ) &&
      (namespace === undefined || text.includes(`${namespace}.${name}`))
  )

for (const { names, specifier } of entries) {
  console.log(`${specifier.padEnd(36)}${String(names.length).padStart(5)}`)
  if (process.argv.includes("--list")) console.log(names.map(({ name }) => name).join(" "))
}
const all = entries.flatMap(({ names }) => names)
const problems = all
  .filter((name) => !isUsed(name))
  .map(
    ({ name, namespace, specifier }) =>
      `${specifier}: ${namespace === undefined ? "" : `${namespace}.`}${name} is used nowhere outside its package`
  )
if (all.length > MOST_NAMES) problems.push(`${all.length} public names, at most ${MOST_NAMES} are meant to be`)
conclude(problems, `${all.length} public names, each of use outside its package`)
