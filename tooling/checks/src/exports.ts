/**
 * A package's `exports` point at `src`, so that nothing has to be built to work on it; what is published points at
 * `dist`. This derives the second from the first, and version and exports of a `jsr.json` beside it; and says in every
 * published package where it comes from. `--write` puts all that there, without it they are compared.
 */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { publication } from "./publication.ts"
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
  else problems.push(`${path}: ${Object.keys(fields).join(", ")} are not what is derived; run \`pnpm exports\``)
}

const published = packages().filter(({ manifest }) => manifest.private !== true)
for (const { dir, manifest } of published) {
  const { exports, name, publishConfig, version } = manifest
  const built = exports && { publishConfig: { ...publishConfig, exports: derived(exports) } }
  hold(`${dir}/package.json`, { ...publication(dir), ...built })
  if (existsSync(join(root, dir, "jsr.json"))) hold(`${dir}/jsr.json`, { name, version, exports })
}
conclude(problems, `${published.length} packages publish what they export, and say where they come from`)
