/**
 * How the packages become JavaScript (the program: `program.ts`). Declarations are the compiler's work, not tsup's: see
 * `declarations.ts`.
 */
import { readFileSync } from "node:fs"
import { defineConfig } from "tsup"

/** The manifest of the package whose directory is the working directory. */
const manifest = (): { readonly exports: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync("package.json", "utf8"))

/**
 * A library: one entry per public module, taken from the `exports` of its package.json, so that the list stands once.
 * Dependencies and peers stay imports.
 */
export const library = () =>
  defineConfig({
    format: "esm",
    // The oldest Node that the packages support.
    target: "node22",
    platform: "neutral",
    clean: true,
    dts: false,
    entry: Object.fromEntries(
      Object.values(manifest().exports)
        .filter((path) => path.endsWith(".ts"))
        .map((path) => [path.slice("./src/".length, -".ts".length), path])
    ),
    external: [/^node:/],
    splitting: true,
    sourcemap: true
  })
