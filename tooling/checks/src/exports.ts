/**
 * In each package.json, derives the fields that describe the published package. In the repository, the field `exports` refers to `src`, so
 * that developers need not build the packages. In published packages, this field refers to `dist`. The program also derives `jsr.json`, the
 * address of the repository, and the links in READMEs. With `--write`, the program writes the derived values into the files. Without
 * `--write`, it reports each file whose values differ from the derived values.
 */
import { existsSync, statSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import { address, publication } from "./publication.ts"
import { conclude, published, read, root } from "./workspace.ts"

/** For the main entry of a transport, the condition `module` refers to a file for bundlers (see `tooling/presets/standalone.ts`). */
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

/** The fields for compilers that do not read `exports`, such as TypeScript with `moduleResolution: node10`. */
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
/**
 * With `--write`, writes `text` to a file. Otherwise, reports the file. Call this function only if the content of the file differs from
 * `text`.
 */
const settle = (path: string, text: string, what: string): void => {
  if (process.argv.includes("--write")) writeFileSync(join(root, path), text)
  else problems.push(`${path}: ${what} are not what is derived; run \`pnpm generate\``)
}

/** With `--write`, updates the outdated fields of a JSON file. Otherwise, reports the file if some of its fields are outdated. */
const hold = (path: string, fields: Readonly<Record<string, unknown>>): void => {
  const before = JSON.parse(read(path))
  const whole = { ...before, ...fields }
  if (JSON.stringify(whole) === JSON.stringify(before)) return
  settle(path, `${JSON.stringify(whole, null, 2)}\n`, Object.keys(fields).join(", "))
}

/**
 * Makes the relative links in a README absolute, because users also read READMEs outside the repository. In absolute links, the current
 * address of the repository replaces the previous address (`before`).
 */
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
  // Remove fields that are no longer derived, for example `typesVersions` of a package with a single module.
  const { exports: _exports, main: _main, types: _types, typesVersions: _versions, ...others } = publishConfig ?? {}
  const built = exports && { publishConfig: { ...others, ...forNode10(exports), exports: derived(dir, exports) } }
  hold(`${dir}/package.json`, { ...publication(dir), ...built })
  const readme = read(`${dir}/README.md`)
  const whole = withAddress(dir, readme, bugs?.url.replace(/\/issues$/, "") ?? address)
  if (whole !== readme) settle(`${dir}/README.md`, whole, "links")
  if (existsSync(join(root, dir, "jsr.json"))) hold(`${dir}/jsr.json`, { name, version, exports })
}
conclude(problems, `${published.length} packages publish what they export, and say where they come from`)
