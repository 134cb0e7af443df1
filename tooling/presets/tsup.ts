/**
 * How the packages become JavaScript (the program: `program.ts`). Declarations are the compiler's work, not tsup's: see
 * `declarations.ts`.
 */
import { readFileSync } from "node:fs"
import { defineConfig, type Options } from "tsup"

/** The manifest of the package whose directory is the working directory. */
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string>>
}

/** Marks the object of a namespace (`export * as Limits`) as pure: as esbuild writes it, no bundler leaves it out where it is not used. */
const pureNamespaces: NonNullable<Options["plugins"]>[number] = {
  name: "pure-namespaces",
  renderChunk: (code) => ({
    code: code
      .replaceAll(/var (\w+) = \{\};\n__export\(\1, \{/g, "var $1 = /* @__PURE__ */ __export({}, {")
      .replace(/(var __export = \(target, all\) => \{\n(?: .*\n)+)(\};)/, "$1  return target;\n$2")
  })
}

/**
 * Dependencies and peers of a library stay imports. A transport's main entry is the work of `promises.ts`; of its others, for programs
 * with Effect, Effect and core stay imports, which whoever has Effect installs, and the few functions of the other packages come inside.
 */
const isTransport = "./effect" in manifest.exports

export default defineConfig({
  plugins: [pureNamespaces],
  entry: Object.fromEntries(
    Object.values(manifest.exports)
      .filter((path) => path.endsWith(".ts") && !(isTransport && path === "./src/index.ts"))
      // One entry per public module, so that the list stands once.
      .map((path) => [path.slice("./src/".length, -".ts".length), path])
  ),
  format: "esm",
  // The oldest Node that the packages support.
  target: "node22",
  platform: "neutral",
  clean: true,
  dts: false,
  external: [/^node:/, ...(isTransport ? [/^effect/, /^@sourcewire\/core/] : [])],
  noExternal: isTransport ? [/^@sourcewire\/(?:protocol|transport-node)/] : [],
  splitting: true,
  sourcemap: true
})
