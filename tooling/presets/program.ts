/**
 * Bundles the command-line program with all its dependencies, in chunks, so that a command loads only the code that it runs. Run this
 * script in the folder `apps/cli`. The first argument is the output folder (default: `dist`).
 */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { compileFunctionsEagerly } from "./eagerFunctions.ts"
import { notices } from "./notices.ts"

/**
 * Changes the program so that it loads Node's own modules with `process.getBuiltinModule` instead of `import`. An `import` of one of these
 * modules reads all exports of the module. Therefore Node would also load the parts of the module that are otherwise loaded at their first
 * use. For example, an `import` of `node:fs` would load promises, readline and workers. In the bundle, each module has its own variables
 * for the exports of Node's modules that it uses.
 */
const builtins: Plugin = {
  name: "builtins",
  resolveId: (path, importer, { kind }) =>
    // Bun's own modules, with the prefix `bun:`, are still loaded with `import`.
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
 * Copies package.json into each module that imports package.json. Copies the texts of system errors (1 kB) into the entry. Without these
 * copies, package.json and these texts would be in a chunk that both the entry and other chunks import. Node would compile this chunk
 * before the entry turns on the compile cache.
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
 * Replaces the package `ws` with two minimal classes, because `ws` would be 3 % of the program. The program uses no WebSockets: Effect's
 * HTTP server creates a WebSocket server, but the program never uses this server, and only closes it.
 */
const webSockets: Plugin = {
  name: "web-sockets",
  resolveId: (path) => (path === "ws" ? "none:ws" : null),
  load: (id) =>
    id === "none:ws" ? "export class WebSocketServer { close(done) { done() } }\nexport class WebSocket {}" : null
}

/**
 * If at least this number of chunks would use the same module, the bundler puts the module into the chunk `shared`, which every command
 * loads. If each such module were a separate chunk, a command would have to load more files, and would start more slowly.
 */
const SHARED_BY = 7

// Patterns of modules that only some commands use.
const STREAMS = /[/\\]effect[/\\]dist[/\\](internal[/\\])?(Channel|Stream|Sink|Pull|Queue|PubSub|[rR]cRef)\./
const SCHEMAS =
  /[/\\]effect[/\\]dist[/\\](internal[/\\]schema[/\\]|Schema|Json|ByteSize|http[/\\]|net[/\\]|encoding[/\\](?!Hex))/
const GAMES = /packages[/\\]games[/\\]src/
const FILES = /apps[/\\]cli[/\\]src[/\\]files/
// The code that dissects and encodes messages, and the descriptions of fields. A command that only decodes replies needs neither this code
// nor the descriptions.
const DISSECTION =
  /packages[/\\]protocol[/\\]src[/\\](declarations[/\\]|Datagram|Meaning|internal[/\\]interpret[/\\](byCodec|write))|apps[/\\]cli[/\\]src[/\\]view[/\\]fieldTree/
const MONITOR = /packages[/\\]monitor[/\\]src/
const MASTER = /packages[/\\]core[/\\]src[/\\]master/
const CLIENT =
  /packages[/\\](core[/\\]src[/\\](?!text|edge|Limits|master)|transport-node)|apps[/\\]cli[/\\]src[/\\](query|trace)/

const bundle = await rolldown({
  input: { sourcewire: "src/main.ts" },
  // With the platform "node", the bundler would add code that creates a `require` function. This code would load additional modules of
  // Node.
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
      // These two small modules together are one chunk, because nearly every command loads both of them.
      { name: "command-line", test: /apps[/\\]cli[/\\]src[/\\]commandLine[/\\](globalFlags|suggest)\.ts/ },
      { name: "streams", minShareCount: 2, test: STREAMS },
      { name: "schemas", minShareCount: 2, test: SCHEMAS },
      // The groups `dissection` and `client` must precede the groups below, which import modules of these two groups. Each group also
      // includes the modules that its own modules import, except modules of earlier groups.
      { name: "dissection", minShareCount: 2, test: DISSECTION },
      { name: "client", minShareCount: SHARED_BY, test: CLIENT },
      { name: "master", minShareCount: 2, test: MASTER },
      { name: "games", minShareCount: 2, test: GAMES },
      { name: "files", minShareCount: 2, test: FILES }
    ]
  }
})
compileFunctionsEagerly(folder)
