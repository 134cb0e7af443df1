/**
 * A package's `exports` point at `src`, so that nothing has to be built to work on it; what is published points at
 * `dist`. This derives the second from the first, and version and exports of a `jsr.json` beside it: `--write` puts them
 * there, without it they are compared.
 */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { conclude, packages, read, root } from "./workspace.ts"

const derived = (exports: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(exports).map(([key, path]) => {
      const built = path.replace(/^\.\/src\/(.*)\.ts$/, "./dist/$1")
      return [key, built === path ? path : { types: `${built}.d.ts`, default: `${built}.js` }]
    })
  )

const problems: Array<string> = []
/** Brings fields of a JSON file up to date, or says that they are not. */
const hold = (path: string, fields: Readonly<Record<string, unknown>>): void => {
  const text = read(path)
  const whole = { ...JSON.parse(text), ...fields }
  if (JSON.stringify(whole) === JSON.stringify(JSON.parse(text))) return
  if (process.argv.includes("--write")) writeFileSync(join(root, path), `${JSON.stringify(whole, null, 2)}\n`)
  else problems.push(`${path}: ${Object.keys(fields).join(" and ")} are not what exports say; run \`pnpm exports\``)
}

const libraries = packages().filter(({ manifest }) => manifest.private !== true && manifest.exports !== undefined)
for (const { dir, manifest } of libraries) {
  const { exports = {}, name, publishConfig, version } = manifest
  hold(`${dir}/package.json`, { publishConfig: { ...publishConfig, exports: derived(exports) } })
  if (existsSync(join(root, dir, "jsr.json"))) hold(`${dir}/jsr.json`, { name, version, exports })
}
conclude(problems, `${libraries.length} packages publish what they export`)
