/**
 * The programs that everything runs under: paths of the binaries themselves, in packages that hold those of one platform. Such a
 * package has its hash in a lockfile and needs no script, where `node`, `deno`, `bun` and `pnpm` fetch or link theirs when they
 * are installed. And whoever stops one of these stops the program, not a script in front of it.
 *
 * Plain JavaScript, since `bootstrap.mjs` runs on Node 20, which does not strip types.
 */
import { fileURLToPath } from "node:url"

const ending = process.platform === "win32" ? ".exe" : ""

const binary = (modules, name, inside) =>
  fileURLToPath(
    new URL(`../../${modules}/${name}-${process.platform}-${process.arch}/${inside}${ending}`, import.meta.url)
  )

/** Paths by the program's name. Where a platform has no package there is nothing at the path. */
export const programs = {
  // The root's own dependency, so that the scripts of package.json find it as `node`.
  node: binary("node_modules", "node", "bin/node"),
  node22: binary("tooling/programs/node_modules", "node22", "bin/node"),
  node26: binary("tooling/programs/node_modules", "node26", "bin/node"),
  deno: binary("tooling/programs/node_modules", "deno", "deno"),
  bun: binary("tooling/programs/node_modules", "bun", "bin/bun"),
  // npm installs it before there is anything else.
  pnpm: binary("tooling/pnpm/node_modules", "pnpm", "pnpm")
}
