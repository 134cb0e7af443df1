/**
 * A package's `exports` point at `src`, so that nothing has to be built to work on it; what is published points at
 * `dist`. This derives the second from the first: `--write` puts it into the package.json, without it they are compared.
 *
 * @module
 */
import { writeFileSync } from "node:fs"
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
const libraries = packages().filter(({ manifest }) => manifest.private !== true && manifest.exports !== undefined)
for (const { dir, manifest } of libraries) {
  const publishConfig = { ...manifest.publishConfig, exports: derived(manifest.exports ?? {}) }
  if (JSON.stringify(publishConfig) === JSON.stringify(manifest.publishConfig)) continue
  if (process.argv.includes("--write")) {
    const path = `${dir}/package.json`
    writeFileSync(join(root, path), `${JSON.stringify({ ...JSON.parse(read(path)), publishConfig }, null, 2)}\n`)
  } else problems.push(`${dir}: publishConfig.exports is not what exports say; run \`pnpm exports\``)
}
conclude(problems, `${libraries.length} packages publish what they export`)
