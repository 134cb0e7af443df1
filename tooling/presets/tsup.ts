/**
 * How the packages and the program become JavaScript. Declarations are the compiler's work, not tsup's: see
 * `declarations.ts`.
 */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { defineConfig, type Options } from "tsup"

/** What both kinds of output have in common: ESM for the oldest Node that the packages support. */
const base = { format: "esm", target: "node22", platform: "node", clean: true, dts: false } as const

/** The manifest of the package whose directory is the working directory. */
const manifest = (): { readonly exports: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync("package.json", "utf8"))

/**
 * A library: one entry per public module, taken from the `exports` of its package.json, so that the list stands once.
 * Dependencies and peers stay imports.
 */
export const library = () =>
  defineConfig({
    ...base,
    platform: "neutral",
    entry: Object.fromEntries(
      Object.values(manifest().exports)
        .filter((path) => path.endsWith(".ts"))
        .map((path) => [path.slice("./src/".length, -".ts".length), path])
    ),
    external: [/^node:/],
    splitting: true,
    sourcemap: true
  })

/**
 * Node's own modules, taken without `import`, which reads every export and so has Node load what it keeps for later: with `node:fs` come
 * promises, readline and workers. CommonJS inside the program needs it too, since its `require` has no meaning in ESM.
 */
const lazyBuiltins: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "lazy-builtins",
  setup: (build) => {
    build.onResolve({ filter: /^[a-z_0-9:/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace: "builtin" } : undefined
    )
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("${path}")`
    }))
  }
}

/** A program in chunks, so that a command loads only what it runs: the entry, and a chunk for each `import()`. Everything it imports is inside. */
export const program = (entry: Readonly<Record<string, string>>) =>
  defineConfig({
    ...base,
    entry: { ...entry },
    noExternal: [/./],
    removeNodeProtocol: false,
    esbuildPlugins: [lazyBuiltins],
    define: { "Intl.Segmenter": "LazySegmenter" },
    inject: ["../../tooling/presets/lazySegmenter.ts"],
    splitting: true,
    minify: true
  })
