/**
 * Who may import whom: the table of `docs/architecture.md`, held against every import of every module.
 * Cycles inside a package are oxlint's part (`import/no-cycle`).
 */
import { posix } from "node:path"
import { importsOf, packageOf } from "./source.ts"
import { conclude, files, packages, read } from "./workspace.ts"

/** By a package's directory: what its `src` may import beside itself. The first line that matches counts. */
const allowed: ReadonlyArray<readonly [directory: RegExp, names: RegExp]> = [
  [/^packages\/protocol$/, /^effect$/],
  [/^packages\/capture$/, /^(effect|@sourcewire\/protocol)$/],
  [/^packages\/core$/, /^(effect|@sourcewire\/protocol)$/],
  [/^packages\/games$/, /^(effect|@sourcewire\/(protocol|core))$/],
  [/^packages\/server$/, /^(effect|@sourcewire\/(protocol|core))$/],
  [/^packages\/(emulator|proxy)$/, /^(effect|@sourcewire\/(protocol|core|server))$/],
  [
    /^packages\/monitor$/,
    /^(effect|@effect\/(platform-node|sql-pg)|bcryptjs|@sourcewire\/(protocol|core|games)|node:\*)$/
  ],
  [/^packages\/transport-node$/, /^(effect|@sourcewire\/(protocol|core)|node:\*)$/],
  // For name lookup and TCP, which Node's own modules give on all three.
  [/^packages\/transport-(deno|bun)$/, /^(effect|@sourcewire\/(protocol|core|transport-node))$/],
  // What else an app needs is its own business, as long as its package.json names it (see `pnpm unused`).
  [/^apps\//, /./]
]

const apps = new Set(packages().flatMap(({ dir, manifest }) => (dir.startsWith("apps/") ? [manifest.name] : [])))

/** What each folder of core's `src` may import, the lowest first, so that there is no circle; the modules beside the folders are for all. */
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

/** What is wrong with an import from one folder of core to another, or undefined. */
const objectionInCore = (file: string, target: string): string | undefined => {
  const [from, to] = [CORE.exec(file)?.[1], CORE.exec(target)?.[1]]
  if (
    /^packages\/core\/src\/(index|machines|promises|outcomes|transport|text|schemas|errorSchemas)\.ts$/.test(file) ||
    from === to ||
    to === undefined
  )
    return undefined
  if (from === undefined) return "a module beside the folders is for all of them, and imports none"
  const may = capabilities[from]
  if (may === undefined) return `no rule for core's folder ${from}; add one to tooling/checks/src/boundaries.ts`
  return may.includes(to) ? undefined : `core's ${from} may not import its ${to}`
}

/** What is wrong with one import, or undefined. */
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
  const name = packageOf(specifier)
  // The program is where everything comes together, the playground's bridge included; the site shows the playground's dissector, the
  // dashboard has its widgets.
  if (apps.has(name) && !/^apps\/(cli|dashboard|site)$/.test(dir)) return "nothing imports an app"
  if (name.startsWith("@sourcewire/") && /\/(internal|src|dist)(\/|$)/.test(specifier)) {
    return "another package's inside is not for import"
  }
  if (!inSource) return undefined
  const rule = allowed.find(([directory]) => directory.test(dir))
  if (rule === undefined)
    return `no rule for ${dir}; add one to tooling/checks/src/boundaries.ts and docs/architecture.md`
  return rule[1].test(name) ? undefined : `${dir} may not import ${name}`
}

const folders = Object.keys(capabilities)
/** How many folders, and the modules beside them, stand on one another. */
const layers = new Map<string, number>()
for (const folder of folders) {
  const under = capabilities[folder]!.map((one) => layers.get(one) ?? Number.NaN)
  layers.set(folder, 1 + Math.max(1, ...under))
}
const MOST_LAYERS = 7
const misplaced = folders
  .filter((folder) => !(layers.get(folder)! <= MOST_LAYERS))
  .map((folder) => `core's ${folder} imports what stands behind it in the table, or is layer ${layers.get(folder)}`)

const sources = files().filter((file) => /^(packages|apps)\/.*\.(ts|tsx|mts|mjs|js)$/.test(file))
const problems = sources.flatMap((file) =>
  importsOf(file, read(file)).flatMap(({ line, specifier }) => {
    const why = objection(file, specifier)
    return why === undefined ? [] : [`${file}:${line}  "${specifier}": ${why}`]
  })
)
conclude([...misplaced, ...problems], `${sources.length} modules keep to the boundaries`)
