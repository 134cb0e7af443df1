/**
 * How the packages and the program become JavaScript. Declarations are the compiler's work, not tsup's: see
 * `declarations.ts`.
 *
 * @module
 */
import { readFileSync } from "node:fs"
import { defineConfig } from "tsup"

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
 * A program in one file: everything it imports is inside. What it imports by `import()` runs only when it is asked for,
 * which is what keeps `--version` quick.
 */
export const program = (entry: Readonly<Record<string, string>>) =>
  defineConfig({
    ...base,
    entry: { ...entry },
    noExternal: [/^(?!node:)/],
    splitting: false,
    minify: true,
    // Some dependencies are CommonJS and ask for Node's own modules by `require`.
    banner: {
      js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);'
    }
  })
