/**
 * Bundles the program; run in its folder, with the folder for the result where that is not `dist`. It comes in chunks, so that a command
 * loads what it runs, and everything that it imports is inside.
 */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { compileAtOnce } from "./compiledAtOnce.ts"
import { notices } from "./notices.ts"

/**
 * Node's own modules, taken without `import`, which reads every export and so has Node load what it keeps for later: with `node:fs` come
 * promises, readline and workers. Each module that imports one gets its own, so that nothing is read that only others need.
 */
const builtins: Plugin = {
  name: "builtins",
  resolveId: (path, importer, { kind }) =>
    // Bun brings its own, and there is nothing to take in.
    path.startsWith("bun:")
      ? { id: path, external: true }
      : isBuiltin(path)
        ? { id: `builtin:${path}:${kind}:${importer}`, moduleSideEffects: false }
        : null,
  load: (id) => {
    const [, path, kind] = /^builtin:((?:node:)?[a-z_0-9/]+):([a-z-]+):/.exec(id) ?? []
    if (path === undefined) return null
    const all = `process.getBuiltinModule("${path}")`
    if (kind === "require-call") return `module.exports = ${all}`
    const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== "default")
    return [
      `const all = ${all}`,
      "export default all",
      ...names.map((name, i) => `const name${i} = all["${name}"]\nexport { name${i} as "${name}" }`)
    ].join("\n")
  }
}

/** The manifest, for each module that imports it, so that the program's first lines hold what they need of it. */
const manifests: Plugin = {
  name: "manifests",
  resolveId: (path, importer) =>
    importer !== undefined && path.endsWith("/package.json")
      ? { id: `${resolve(dirname(importer), path)}?${importer}`, moduleSideEffects: false }
      : null,
  load: (id) => {
    const [path, importer] = id.split("?")
    return importer === undefined ? null : { code: readFileSync(path!, "utf8"), moduleType: "json" }
  }
}

/** No WebSockets are served, so in the place of what serves them, 3 % of the program, stands what a server without them asks of it. */
const webSockets: Plugin = {
  name: "web-sockets",
  resolveId: (path) => (path === "ws" ? "none:ws" : null),
  load: (id) =>
    id === "none:ws" ? "export class WebSocketServer { close(done) { done() } }\nexport class WebSocket {}" : null
}

/** Chunks that must have a module in common for it to stand in the one that all load: each file costs a third of a millisecond. */
const SHARED_BY = 6

// What few commands need, or only what explains a command line.
const STREAMS = /[/\\]effect[/\\]dist[/\\](internal[/\\])?(Channel|Stream|Sink|Pull|Queue|PubSub|[rR]cRef)\./
const SCHEMAS =
  /[/\\]effect[/\\]dist[/\\](internal[/\\]schema[/\\]|Schema|Json|ByteSize|http[/\\]|net[/\\]|encoding[/\\](?!Hex))/
const GAMES = /packages[/\\]games[/\\]src/
const FILES = /apps[/\\]cli[/\\]src[/\\]files/
const CLIENT =
  /packages[/\\](core[/\\]src[/\\](?!text|edge|Limits)|transport-node)|apps[/\\]cli[/\\]src[/\\](query|trace)/

const bundle = await rolldown({
  input: { sourcewire: "src/main.ts" },
  // The program is for Node, but the bundler's own code for that would load what `require` needs.
  platform: "neutral",
  plugins: [builtins, manifests, webSockets, notices],
  treeshake: { propertyReadSideEffects: false },
  transform: {
    target: "node22",
    define: { "Intl.Segmenter": "LazySegmenter", "performance.now": "processTime" },
    inject: {
      LazySegmenter: [fileURLToPath(new URL("lazySegmenter.ts", import.meta.url)), "LazySegmenter"],
      processTime: [fileURLToPath(new URL("processTime.ts", import.meta.url)), "processTime"]
    }
  }
})
const folder = process.argv[2] ?? "dist"
await bundle.write({
  dir: folder,
  cleanDir: true,
  minify: true,
  codeSplitting: {
    groups: [
      {
        name: "shared",
        minShareCount: SHARED_BY,
        test: (id) => ![STREAMS, SCHEMAS, GAMES, FILES, CLIENT].some((seldom) => seldom.test(id))
      },
      { name: "streams", minShareCount: 2, test: STREAMS },
      { name: "schemas", minShareCount: 2, test: SCHEMAS },
      // Before what needs it, which would take it along.
      { name: "client", minShareCount: SHARED_BY, test: CLIENT },
      { name: "games", minShareCount: 2, test: GAMES },
      { name: "files", minShareCount: 2, test: FILES }
    ]
  }
})
await compileAtOnce(folder)
