/**
 * A package's `exports` point at `src`, so that nothing has to be built to work on it; what is published points at
 * `dist`. This derives the second from the first, and version and exports of a `jsr.json` beside it; and says in every
 * published package where it comes from, its README's links included. `--write` puts all that there, without it they are
 * compared.
 */
import { existsSync, statSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import { address, publication } from "./publication.ts"
import { conclude, published, read, root } from "./workspace.ts"

/** A transport's main entry has a file of its own for bundlers: see `tooling/presets/standalone.ts`. */
const forBundlers = (dir: string, key: string) =>
  dir.startsWith("packages/transport-") && key === "." ? { module: "./dist/bundled.js" } : {}

const derived = (dir: string, exports: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(exports).map(([key, path]) => {
      const built = path.replace(/^\.\/src\/(.*)\.ts$/, "./dist/$1")
      if (built === path) return [key, path]
      return [key, { types: `${built}.d.ts`, ...forBundlers(dir, key), default: `${built}.js` }]
    })
  )

/** The same for compilers that do not read `exports`: TypeScript with `moduleResolution: node10`. */
const forNode10 = (exports: Readonly<Record<string, string>>): Record<string, unknown> => {
  const modules = Object.entries(exports)
    .filter(([, path]) => path.endsWith(".ts"))
    .map(([key, path]) => [key.slice("./".length), path.replace(/^\.\/src\/(.*)\.ts$/, "./dist/$1")] as const)
  const main = modules.find(([name]) => name === "")?.[1]
  const others = modules.filter(([name]) => name !== "").map(([name, built]) => [name, [`${built}.d.ts`]])
  return {
    ...(main !== undefined && { main: `${main}.js`, types: `${main}.d.ts` }),
    ...(others.length > 0 && { typesVersions: { "*": Object.fromEntries(others) } })
  }
}

const RELATIVE_LINK = /\]\((?![a-z]+:|#)([^)\s]+)\)/g

const problems: Array<string> = []
/** Writes what a file ought to be, or says which part of it is not so. */
const settle = (path: string, text: string, what: string): void => {
  if (process.argv.includes("--write")) writeFileSync(join(root, path), text)
  else problems.push(`${path}: ${what} are not what is derived; run \`pnpm exports\``)
}

/** Brings fields of a JSON file up to date, or says that they are not. */
const hold = (path: string, fields: Readonly<Record<string, unknown>>): void => {
  const before = JSON.parse(read(path))
  const whole = { ...before, ...fields }
  if (JSON.stringify(whole) === JSON.stringify(before)) return
  settle(path, `${JSON.stringify(whole, null, 2)}\n`, Object.keys(fields).join(", "))
}

/** A README without relative links, since it is read outside the repository too; `before` is the address until now. */
const withAddress = (dir: string, readme: string, before: string): string =>
  readme.replaceAll(`](${before}/`, `](${address}/`).replace(RELATIVE_LINK, (_, target: string) => {
    const path = posix.join(dir, target)
    const kind = statSync(join(root, path.replace(/#.*/, "")), { throwIfNoEntry: false })?.isDirectory()
      ? "tree"
      : "blob"
    return `](${address}/${kind}/main/${path})`
  })

for (const { dir, manifest } of published) {
  const { bugs, exports, name, publishConfig, version } = manifest
  // A field that is no longer derived, such as `typesVersions` of a package with one module left, must not remain.
  const { exports: _exports, main: _main, types: _types, typesVersions: _versions, ...others } = publishConfig ?? {}
  const built = exports && { publishConfig: { ...others, ...forNode10(exports), exports: derived(dir, exports) } }
  hold(`${dir}/package.json`, { ...publication(dir), ...built })
  const readme = read(`${dir}/README.md`)
  const whole = withAddress(dir, readme, bugs?.url.replace(/\/issues$/, "") ?? address)
  if (whole !== readme) settle(`${dir}/README.md`, whole, "links")
  if (existsSync(join(root, dir, "jsr.json"))) hold(`${dir}/jsr.json`, { name, version, exports })
}
conclude(problems, `${published.length} packages publish what they export, and say where they come from`)
