/**
 * Checks every import of every module against the table in `docs/explanation/architecture.md`, and finds import cycles. Unlike oxlint's
 * `import/no-cycle`, this check also follows imports of types and dynamic imports.
 */
import { posix } from "node:path"
import { findCycles } from "./cycles.ts"
import { findImports, packageName } from "./source.ts"
import { conclude, files, packages, read } from "./workspace.ts"

/**
 * For each package directory, the packages that the files in its `src` may import. If several entries match a directory, the first entry
 * applies.
 */
const allowed: ReadonlyArray<readonly [directory: RegExp, names: RegExp]> = [
  [/^packages\/protocol$/, /^effect$/],
  [/^packages\/verdict$/, /^$/],
  [/^packages\/(capture|inside)$/, /^(effect|@sourcewire\/protocol)$/],
  [/^packages\/diagnosis$/, /^(effect|@sourcewire\/(protocol|capture))$/],
  [/^packages\/core$/, /^(effect|@sourcewire\/(protocol|inside))$/],
  [/^packages\/games$/, /^(effect|@sourcewire\/(protocol|inside|core))$/],
  [/^packages\/server$/, /^(effect|@sourcewire\/(protocol|inside|core))$/],
  [/^packages\/(emulator|proxy)$/, /^(effect|@sourcewire\/(protocol|inside|core|server))$/],
  [
    /^packages\/ui$/,
    /^(effect|preact|@preact\/signals|uplot|@sourcewire\/(protocol|core|games|capture|diagnosis)|node:\*)$/
  ],
  [
    /^packages\/monitor$/,
    /^(effect|@effect\/(platform-node|sql-pg)|bcryptjs|@sourcewire\/(protocol|core|games|ui|verdict)|node:\*)$/
  ],
  [/^packages\/transport-node$/, /^(effect|@sourcewire\/(protocol|core)|node:\*)$/],
  // On all three runtimes, name lookup and TCP use Node's modules. Therefore the transports for Deno and Bun import name lookup and TCP
  // from transport-node.
  [/^packages\/transport-(deno|bun)$/, /^(effect|@sourcewire\/(protocol|core|transport-node))$/],
  // Apps may import all dependencies in their package.json. `pnpm unused` reports imports of other packages.
  [/^apps\//, /./]
]

const apps = new Set(packages().flatMap(({ dir, manifest }) => (dir.startsWith("apps/") ? [manifest.name] : [])))

/**
 * For each folder of core's `src`, the other folders that its modules may import. Every folder imports only folders above it in this list,
 * so that no cycle is possible. All folders may also import the modules that are directly in `src`.
 */
const capabilities: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: [],
  address: [],
  engine: ["address"],
  query: ["engine", "address"],
  handshake: ["query", "engine"],
  client: ["handshake", "query", "engine", "address"],
  scan: ["client", "query", "engine", "address"],
  master: ["client", "query", "engine", "address"],
  rcon: ["client", "engine", "address"],
  log: ["client", "engine", "address"],
  testing: ["engine", "address"]
}
const CORE = /^packages\/core\/src\/(?:([^/]+)\/)?[^/]+$/

/** Returns the reason why an import between two folders of core is not allowed, or `undefined` if the import is allowed. */
const objectionInCore = (file: string, target: string): string | undefined => {
  const [from, to] = [CORE.exec(file)?.[1], CORE.exec(target)?.[1]]
  if (
    /^packages\/core\/src\/(index|query|engine|rcon|master|log|scan|address|promises|outcomes|transport|text|schemas|errorSchemas)\.ts$/.test(
      file
    ) ||
    from === to ||
    to === undefined
  )
    return undefined
  if (from === undefined) return "a module beside the folders is for all of them, and imports none"
  const may = capabilities[from]
  if (may === undefined) return `no rule for core's folder ${from}; add one to tooling/checks/src/boundaries.ts`
  return may.includes(to) ? undefined : `core's ${from} may not import its ${to}`
}

/** Returns the reason why an import is not allowed, or `undefined` if the import is allowed. */
const objection = (file: string, specifier: string): string | undefined => {
  const dir = file.split("/", 2).join("/")
  const inSource = file.startsWith(`${dir}/src/`)
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier)
    if (!target.startsWith(`${dir}/`) && (inSource || !target.startsWith("tooling/"))) {
      return "reaches into another package by its path; import it by name"
    }
    if (CORE.test(file) && CORE.test(target)) return objectionInCore(file, target)
    const leaves = dir.startsWith("packages/") && inSource && !target.startsWith(`${dir}/src/`)
    return leaves ? "leaves src, which is all that is published" : undefined
  }
  const name = packageName(specifier)
  // Only the command-line program may import an app, because it needs the playground's bridge.
  if (apps.has(name) && dir !== "apps/cli") return "nothing imports an app"
  if (name.startsWith("@sourcewire/") && /\/(internal|src|dist)(\/|$)/.test(specifier)) {
    return "another package's inside is not for import"
  }
  if (!inSource) return undefined
  const rule = allowed.find(([directory]) => directory.test(dir))
  if (rule === undefined)
    return `no rule for ${dir}; add one to tooling/checks/src/boundaries.ts and docs/explanation/architecture.md`
  return rule[1].test(name) ? undefined : `${dir} may not import ${name}`
}

const folders = Object.keys(capabilities)
/**
 * The layer number of each folder of core. The modules directly in `src` are layer 1, so the layers of folders begin with 2. A folder
 * imports only folders in lower layers.
 */
const layers = new Map<string, number>()
for (const folder of folders) {
  const under = capabilities[folder]!.map((one) => layers.get(one) ?? Number.NaN)
  layers.set(folder, 1 + Math.max(1, ...under))
}
const MOST_LAYERS = 7
const misplaced = folders
  .filter((folder) => !(layers.get(folder)! <= MOST_LAYERS))
  .map((folder) => `core's ${folder} imports a folder that comes later in the table, or is layer ${layers.get(folder)}`)

const sources = files().filter((file) => /^(packages|apps)\/.*\.(ts|tsx|mts|mjs|js)$/.test(file))
const imports = new Map(sources.map((file) => [file, findImports(file, read(file))]))
const problems = sources.flatMap((file) =>
  imports.get(file)!.flatMap(({ line, specifier }) => {
    const why = objection(file, specifier)
    return why === undefined ? [] : [`${file}:${line}  "${specifier}": ${why}`]
  })
)

const cycles = findCycles(
  new Map(
    sources.map((file) => [
      file,
      imports
        .get(file)!
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => posix.join(posix.dirname(file), specifier))
    ])
  )
)
const circular = cycles.map((cycle) => `import cycle: ${[...cycle, cycle[0]].join(" → ")}`)

conclude([...misplaced, ...problems, ...circular], `${sources.length} modules keep to the boundaries`)
