/**
 * Bundles the command-line program with all its dependencies, in chunks, so that a command loads only the code that it runs. Run this
 * script in the folder of the program. The argument is the output folder (default: `dist`).
 */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { compileFunctionsEagerly } from "./eagerFunctions.ts"
import { notices } from "./notices.ts"

/**
 * Loads Node's own modules with `process.getBuiltinModule` instead of `import`. An `import` reads every export of a module, so that Node
 * also loads its lazy parts: `node:fs` would load promises, readline and workers. Each importing module contains its own copy of the
 * properties that it uses.
 */
const builtins: Plugin = {
  name: "builtins",
  resolveId: (path, importer, { kind }) =>
    // Modules with the prefix `bun:` are still loaded with `import`.
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

/**
 * Inlines package.json separately into each module that imports it, and the texts of system errors (1 kB) into the entry. Therefore the
 * entry needs no shared chunk. Node would compile a shared chunk before the entry turns on the compile cache.
 */
const copies: Plugin = {
  name: "copies",
  resolveId: (path, importer) =>
    importer !== undefined &&
    (path.endsWith("/package.json") || (path === "./systemError.ts" && importer.endsWith("main.ts")))
      ? { id: `${resolve(dirname(importer), path)}?${importer}`, moduleSideEffects: false }
      : null,
  load: (id) => {
    const [path, importer] = id.split("?")
    if (importer === undefined) return null
    return { code: readFileSync(path!, "utf8"), moduleType: path!.endsWith(".ts") ? "ts" : "json" }
  }
}

/**
 * Replaces the package `ws`, which would be 3 % of the program. The program uses no WebSockets: Effect's HTTP server creates a WebSocket
 * server, but the program only closes it.
 */
const webSockets: Plugin = {
  name: "web-sockets",
  resolveId: (path) => (path === "ws" ? "none:ws" : null),
  load: (id) =>
    id === "none:ws" ? "export class WebSocketServer { close(done) { done() } }\nexport class WebSocket {}" : null
}

/**
 * If at least this number of chunks share a module, the module is put into the chunk that all commands load. Each additional file delays
 * the start of a command.
 */
const SHARED_BY = 7

// Patterns of modules that only some commands use.
const STREAMS = /[/\\]effect[/\\]dist[/\\](internal[/\\])?(Channel|Stream|Sink|Pull|Queue|PubSub|[rR]cRef)\./
const SCHEMAS =
  /[/\\]effect[/\\]dist[/\\](internal[/\\]schema[/\\]|Schema|Json|ByteSize|http[/\\]|net[/\\]|encoding[/\\](?!Hex))/
const GAMES = /packages[/\\]games[/\\]src/
const FILES = /apps[/\\]cli[/\\]src[/\\]files/
// The code that dissects and encodes messages, and the descriptions of fields. The decoder of replies needs neither of them.
const DISSECTION =
  /packages[/\\]protocol[/\\]src[/\\](declarations[/\\]|Datagram|Meaning|internal[/\\]interpret[/\\](byCodec|write))|apps[/\\]cli[/\\]src[/\\]view[/\\]fieldTree/
const MONITOR = /packages[/\\]monitor[/\\]src/
const MASTER = /packages[/\\]core[/\\]src[/\\]master/
const CLIENT =
  /packages[/\\](core[/\\]src[/\\](?!text|edge|Limits|master)|transport-node)|apps[/\\]cli[/\\]src[/\\](query|trace)/

const bundle = await rolldown({
  input: { sourcewire: "src/main.ts" },
  // With the platform "node", the bundler would add code that loads the modules for `require`.
  platform: "neutral",
  plugins: [builtins, copies, webSockets, notices],
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
        test: (id) =>
          ![STREAMS, SCHEMAS, GAMES, FILES, DISSECTION, MASTER, MONITOR, CLIENT].some((seldom) => seldom.test(id))
      },
      // Nearly every command loads these two small modules.
      { name: "command-line", test: /apps[/\\]cli[/\\]src[/\\]commandLine[/\\](globalFlags|suggest)\.ts/ },
      { name: "streams", minShareCount: 2, test: STREAMS },
      { name: "schemas", minShareCount: 2, test: SCHEMAS },
      // Modules of later groups import the modules of this group and of the next group. Therefore these two groups must come first.
      // Otherwise, the later groups would include the modules of these two groups.
      { name: "dissection", minShareCount: 2, test: DISSECTION },
      { name: "client", minShareCount: SHARED_BY, test: CLIENT },
      { name: "master", minShareCount: 2, test: MASTER },
      { name: "games", minShareCount: 2, test: GAMES },
      { name: "files", minShareCount: 2, test: FILES }
    ]
  }
})
compileFunctionsEagerly(folder)
