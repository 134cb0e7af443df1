/**
 * Lets a program of one file start without reading most of it. What the entry imports by `import()` is bundled on its own and put into
 * the file as a string, which Node compiles when the `import()` runs. Otherwise Node parses the whole file before its first line:
 * half a megabyte takes as long as starting Node itself, just to print a version.
 *
 * @module
 */
import { resolve } from "node:path"
import type { Options } from "tsup"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/** The module that takes the place of the imported one. `code` ends as the body of a CommonJS function. */
const moduleOf = (code: string, names: ReadonlyArray<string>): string => `
const { constants, Script } = process.getBuiltinModule("node:vm")
const body = ${JSON.stringify(`(function (exports, module, __importMeta) {${code}\n})`)}
const script = new Script(body, {
  filename: import.meta.filename,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
})
const loaded = { exports: {} }
script.runInThisContext()(loaded.exports, loaded, import.meta)
export const { ${names.join(", ")} } = loaded.exports
`

/** Defers the dynamic imports of the entry; `plugins` apply to what is imported as they do to the entry. */
export const deferred = (plugins: ReadonlyArray<Plugin>): Plugin => ({
  name: "deferred",
  setup: (build) => {
    const { absWorkingDir = process.cwd(), entryPoints } = build.initialOptions
    const entries = new Set(
      Object.values(entryPoints ?? {}).map((entry) =>
        resolve(absWorkingDir, typeof entry === "string" ? entry : entry.in)
      )
    )
    build.onResolve({ filter: /^\.\.?\// }, ({ importer, kind, path, resolveDir }) =>
      kind === "dynamic-import" && entries.has(importer)
        ? { path: resolve(resolveDir, path), namespace: "deferred" }
        : undefined
    )
    build.onLoad({ filter: /.*/, namespace: "deferred" }, async ({ path }) => {
      const { esbuild } = build
      const common = { bundle: true, write: false, platform: "node", target: "node22" } as const
      const own = { entryPoints: [path], plugins: [...plugins] }
      // Only as ESM does a build say what its entry exports.
      const { metafile } = await esbuild.build({ ...common, ...own, format: "esm", metafile: true })
      const define = { "import.meta": "__importMeta" }
      const { outputFiles } = await esbuild.build({ ...common, ...own, format: "cjs", minify: true, define })
      const names = Object.values(metafile.outputs).flatMap(({ exports }) => exports)
      return { contents: moduleOf(outputFiles[0]!.text, names), loader: "js" }
    })
  }
})
