/**
 * Bundles the program; run in its folder, with the folder for the result where that is not `dist`. It comes in chunks, so that a command
 * loads what it runs, and everything that it imports is inside.
 */
import { isBuiltin } from "node:module"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"

/**
 * Node's own modules, taken without `import`, which reads every export and so has Node load what it keeps for later: with `node:fs` come
 * promises, readline and workers.
 */
const builtins: Plugin = {
  name: "builtins",
  // Not for the bundler's own code, which the modules of this plugin would need in turn.
  resolveId: (path, importer) =>
    isBuiltin(path) && importer?.startsWith("\0rolldown") !== true
      ? { id: `builtin:${path}`, moduleSideEffects: false }
      : null,
  load: (id) => {
    if (!id.startsWith("builtin:")) return null
    const path = id.slice("builtin:".length)
    const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== "default")
    return [
      `const all = process.getBuiltinModule("${path}")`,
      "export default all",
      ...names.map((name, i) => `const name${i} = all["${name}"]\nexport { name${i} as "${name}" }`)
    ].join("\n")
  }
}

/** Chunks that must have a module in common for it to stand in the one that all load: each file costs a third of a millisecond. */
const SHARED_BY = 6

const bundle = await rolldown({
  input: { sourcewire: "src/main.ts" },
  platform: "node",
  plugins: [builtins],
  treeshake: { propertyReadSideEffects: false },
  transform: {
    target: "node22",
    define: { "Intl.Segmenter": "LazySegmenter" },
    inject: { LazySegmenter: [fileURLToPath(new URL("lazySegmenter.ts", import.meta.url)), "LazySegmenter"] }
  }
})
await bundle.write({
  dir: process.argv[2] ?? "dist",
  cleanDir: true,
  minify: true,
  codeSplitting: {
    groups: [
      // What the program's first lines need, and Node has loaded by then.
      { name: "node", test: /^builtin:node:(fs|module|path)$|^\0rolldown/ },
      { name: "shared", minShareCount: SHARED_BY }
    ]
  }
})
