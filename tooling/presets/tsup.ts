/**
 * How the packages become JavaScript (the program: `program.ts`). Declarations are the compiler's work, not tsup's: see
 * `declarations.ts`.
 */
import { readFileSync } from "node:fs"
import { defineConfig, type Options } from "tsup"

/** The manifest of the package whose directory is the working directory. */
const manifest = (): { readonly exports: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync("package.json", "utf8"))

/** One entry per public module, taken from the `exports` of the package's package.json, so that the list stands once. */
const entries = (isWanted: (path: string) => boolean) =>
  Object.fromEntries(
    Object.values(manifest().exports)
      .filter((path) => path.endsWith(".ts") && isWanted(path))
      .map((path) => [path.slice("./src/".length, -".ts".length), path])
  )

/** Marks the object of a namespace (`export * as Limits`) as pure: as esbuild writes it, no bundler leaves it out where it is not used. */
const pureNamespaces: NonNullable<Options["plugins"]>[number] = {
  name: "pure-namespaces",
  renderChunk: (code) => ({
    code: code
      .replaceAll(/var (\w+) = \{\};\n__export\(\1, \{/g, "var $1 = /* @__PURE__ */ __export({}, {")
      .replace(/(var __export = \(target, all\) => \{\n(?: .*\n)+)(\};)/, "$1  return target;\n$2")
  })
}

const base: Options = {
  plugins: [pureNamespaces],
  format: "esm",
  // The oldest Node that the packages support.
  target: "node22",
  platform: "neutral",
  clean: true,
  dts: false,
  external: [/^node:/],
  splitting: true,
  sourcemap: true
}

/** A library. Dependencies and peers stay imports. */
export const library = () => defineConfig({ ...base, entry: entries(() => true) })

/**
 * The entries of a transport for programs with Effect; the one with promises is the work of `promises.ts`. Effect and core stay imports,
 * which whoever has Effect installs; the few functions of the other packages come inside.
 */
export const transport = () =>
  defineConfig({
    ...base,
    entry: entries((path) => path !== "./src/index.ts"),
    external: [/^node:/, /^effect/, /^@sourcewire\/core/],
    noExternal: [/^@sourcewire\/(?:protocol|transport-node)/]
  })
