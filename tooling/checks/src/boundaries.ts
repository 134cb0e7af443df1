/**
 * Who may import whom: the table of `docs/architecture.md`, held against every import of every module.
 * Cycles inside a package are oxlint's part (`import/no-cycle`).
 *
 * @module
 */
import { posix } from "node:path"
import { importsOf, packageOf } from "./source.ts"
import { conclude, files, packages, read } from "./workspace.ts"

/** By a package's directory: what its `src` may import beside itself. The first line that matches counts. */
const allowed: ReadonlyArray<readonly [directory: RegExp, names: RegExp]> = [
  [/^packages\/protocol$/, /^effect$/],
  [/^packages\/capture$/, /^(effect|@sourcewire\/protocol)$/],
  [/^packages\/core$/, /^(effect|@sourcewire\/protocol)$/],
  [/^packages\/server$/, /^(effect|@sourcewire\/(protocol|core))$/],
  [/^packages\/(emulator|proxy)$/, /^(effect|@sourcewire\/(protocol|core|server))$/],
  [/^packages\/transport-node$/, /^(effect|@sourcewire\/(protocol|core)|node:\*)$/],
  // For name lookup and TCP, which Node's own modules give on all three.
  [/^packages\/transport-(deno|bun)$/, /^(effect|@sourcewire\/(protocol|core|transport-node))$/],
  // What else an app needs is its own business, as long as its package.json names it (see `pnpm unused`).
  [/^apps\//, /./]
]

const apps = new Set(packages().flatMap(({ dir, manifest }) => (dir.startsWith("apps/") ? [manifest.name] : [])))

/** What is wrong with one import, or undefined. */
const objection = (file: string, specifier: string): string | undefined => {
  const dir = file.split("/", 2).join("/")
  const inSource = file.startsWith(`${dir}/src/`)
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(file), specifier)
    if (!target.startsWith(`${dir}/`) && (inSource || !target.startsWith("tooling/"))) {
      return "reaches into another package by its path; import it by name"
    }
    const leaves = dir.startsWith("packages/") && inSource && !target.startsWith(`${dir}/src/`)
    return leaves ? "leaves src, which is all that is published" : undefined
  }
  const name = packageOf(specifier)
  // The program is where everything comes together, the playground's bridge included.
  if (apps.has(name) && dir !== "apps/cli") return "nothing imports an app"
  if (name.startsWith("@sourcewire/") && /\/(internal|src|dist)(\/|$)/.test(specifier)) {
    return "another package's inside is not for import"
  }
  if (!inSource) return undefined
  const rule = allowed.find(([directory]) => directory.test(dir))
  if (rule === undefined)
    return `no rule for ${dir}; add one to tooling/checks/src/boundaries.ts and docs/architecture.md`
  return rule[1].test(name) ? undefined : `${dir} may not import ${name}`
}

const sources = files().filter((file) => /^(packages|apps)\/.*\.(ts|tsx|mts|mjs|js)$/.test(file))
const problems = sources.flatMap((file) =>
  importsOf(file, read(file)).flatMap(({ line, specifier }) => {
    const why = objection(file, specifier)
    return why === undefined ? [] : [`${file}:${line}  "${specifier}": ${why}`]
  })
)
conclude(problems, `${sources.length} modules keep to the boundaries`)
