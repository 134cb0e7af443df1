/**
 * How the packages and the program become JavaScript. Declarations are the compiler's work, not tsup's: see
 * `declarations.ts`.
 *
 * @module
 */
import { readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { defineConfig, type Options } from "tsup"
import { deferred } from "./deferred.ts"

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
 * Node's own modules, taken when the code that needs them first runs. As `import` statements they would stand at the
 * head of the one file and all be loaded before its first line, which doubles the start of a program that then prints
 * its version.
 */
const lazyBuiltins: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "lazy-builtins",
  setup: (build) => {
    const known = new Set(builtinModules)
    build.onResolve({ filter: /^(node:)?[a-z_0-9/]+$/ }, ({ path }) => {
      const name = path.replace(/^node:/, "")
      return known.has(name) || path.startsWith("node:") ? { path: name, namespace: "builtin" } : undefined
    })
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("node:${path}")`,
      loader: "js"
    }))
  }
}

/**
 * A program in one file: everything it imports is inside. What the entry imports by `import()` is not even parsed before
 * it is asked for, which, with the above, is what keeps `--version` quick.
 */
export const program = (entry: Readonly<Record<string, string>>) =>
  defineConfig({
    ...base,
    entry: { ...entry },
    noExternal: [/./],
    removeNodeProtocol: false,
    esbuildPlugins: [deferred([lazyBuiltins]), lazyBuiltins],
    splitting: false,
    minify: true,
    banner: { js: "#!/usr/bin/env node" }
  })
