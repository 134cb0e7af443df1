/**
 * Bundles a published package to ES modules in `dist`. Run this program in the package's directory. Each public module becomes a file. Code
 * that several of these files share becomes a chunk. `declarations.ts` writes the declarations of these modules.
 *
 * Dependencies and peer dependencies are not bundled. `standalone.ts`, and not this program, bundles the main entry of a transport. The
 * other entries of a transport are for programs that use Effect. The bundles of these entries import Effect and core. If these entries use
 * functions of any other package, the bundles contain these few functions.
 */
import { readFileSync } from "node:fs"
import { rolldown } from "rolldown"

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const isTransport = "./effect" in manifest.exports
const imported = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
const modules = Object.values(manifest.exports).filter(
  (path) => path.endsWith(".ts") && !(isTransport && path === "./src/index.ts")
)

const bundle = await rolldown({
  input: Object.fromEntries(modules.map((path) => [path.slice("./src/".length, -".ts".length), path])),
  external: (path) =>
    /^(node|bun):/.test(path) || imported.some((name) => path === name || path.startsWith(`${name}/`)),
  platform: "neutral",
  // Node 22 is the oldest version of Node that the packages support.
  transform: { target: "node22" }
})
await bundle.write({ dir: "dist", cleanDir: true, sourcemap: true, chunkFileNames: "chunks/[name]-[hash].js" })
