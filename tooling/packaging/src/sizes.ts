/**
 * For each entry of our packages, measures the size of a minified and gzipped bundle that uses this entry. The size includes the parts of
 * Effect that the entry needs.
 */
import { build } from "esbuild"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { build as bundleByRolldown } from "rolldown"
import { type Measured, verdict } from "../../bench/Bench.ts"
import { installInto, packAll } from "./packed.ts"

/** A program that uses one entry of a package. The gzipped bundle of the program must not be larger than `budgetBytes`. */
interface Entry {
  readonly name: string
  readonly code: string
  readonly budgetBytes?: number
}

const kB = 1000

const entries: ReadonlyArray<Entry> = [
  {
    name: "protocol: decode INFO",
    code: `import { InfoReply } from "@sourcewire/protocol"; console.log(InfoReply.decode(new Uint8Array(9)))`,
    budgetBytes: 8 * kB
  },
  {
    name: "protocol: decode any message",
    code: `import { decode } from "@sourcewire/protocol"; console.log(decode(new Uint8Array(9)))`
  },
  {
    name: "protocol: decode, encode and dissect any message, join fragments",
    code: `import { decode, dissect, encode } from "@sourcewire/protocol"; import { Reassembler } from "@sourcewire/protocol/wire"; console.log(decode, dissect, encode, Reassembler)`,
    budgetBytes: 24.5 * kB
  },
  {
    name: "protocol/schemas: a schema of INFO",
    code: `import { InfoReply } from "@sourcewire/protocol"; import { toSchema } from "@sourcewire/protocol/schemas"; console.log(toSchema(InfoReply))`
  },
  {
    name: "games: summary",
    code: `import { summary } from "@sourcewire/games"; console.log(summary)`,
    budgetBytes: 24 * kB
  },
  {
    name: "server: responder",
    code: `import { Responder } from "@sourcewire/server"; console.log(new Responder({ name: "", description: "", oversize: { how: "split", maxBytes: 1260 } }))`
  },
  {
    name: "emulator: profiles",
    code: `import { profiles } from "@sourcewire/emulator"; console.log(profiles.css())`
  },
  ...["node", "deno", "bun"].map((runtime) => ({
    name: `transport-${runtime}: connect`,
    code: `import { connect } from "@sourcewire/transport-${runtime}"; const client = await connect(); console.log(await client.info("127.0.0.1"))`,
    budgetBytes: 53 * kB
  })),
  {
    name: "transport-node: rcon",
    code: `import { rcon } from "@sourcewire/transport-node"; console.log(await rcon("127.0.0.1", { password: "" }))`
  }
]

const minified = {
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2022",
  logLevel: "error"
} as const

/**
 * Returns the file `first` and all files of the bundle that `first` imports directly or indirectly, without duplicates. `importsOf` returns
 * `undefined` for a file that is not part of the bundle.
 */
const loadedWith = (
  first: string,
  importsOf: (file: string) => ReadonlyArray<string> | undefined
): ReadonlyArray<string> => {
  const loaded = new Set([first])
  for (const file of loaded) {
    for (const one of importsOf(file) ?? []) if (importsOf(one) !== undefined) loaded.add(one)
  }
  return [...loaded]
}

/**
 * Bundles a program with esbuild. Returns the files that are loaded when the program starts, without the chunks that an `import()` loads
 * later.
 */
const byEsbuild = async (code: string, directory: string): Promise<Uint8Array> => {
  const { metafile, outputFiles } = await build({
    ...minified,
    stdin: { contents: code, resolveDir: directory, loader: "ts" },
    splitting: true,
    outdir: join(directory, "out"),
    platform: "neutral",
    // Users bundle for the platform `node` or `browser`, for which esbuild sets the condition `module` by default. This call bundles for
    // the platform `neutral`, for which esbuild sets no condition by default.
    conditions: ["module"],
    external: ["node:*"],
    metafile: true
  })
  const files = new Map(outputFiles.map(({ contents, path }) => [basename(path), contents]))
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const loaded = loadedWith("stdin.js", (file) =>
    outputs.get(file)?.imports.flatMap(({ kind, path }) => (kind === "import-statement" ? [basename(path)] : []))
  )
  return Buffer.concat(loaded.map((file) => files.get(file)!))
}

/**
 * Bundles a program with rolldown, the bundler of Vite. Returns the files that are loaded when the program starts, without the chunks that
 * an `import()` loads later.
 */
const byRolldown = async (code: string, directory: string): Promise<Uint8Array> => {
  const entry = join(directory, "entry.js")
  await writeFile(entry, code)
  const { output } = await bundleByRolldown({
    input: entry,
    external: /^node:/,
    platform: "neutral",
    resolve: { conditionNames: ["module", "import", "default"] },
    logLevel: "silent",
    output: { format: "esm", minify: true },
    write: false
  })
  const chunks = new Map(output.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one]] : [])))
  const loaded = loadedWith(output[0].fileName, (file) => chunks.get(file)?.imports)
  return Buffer.concat(loaded.map((file) => Buffer.from(chunks.get(file)!.code)))
}

const inKb = (bytes: number): string => (bytes / kB).toFixed(1)

const PACKAGES = [
  "core",
  "emulator",
  "games",
  "protocol",
  "server",
  "transport-bun",
  "transport-deno",
  "transport-node"
]

/** Packs the packages, installs them into an empty project, bundles a program for each entry, and returns a table of the sizes. */
export const measureSizes = async (): Promise<Measured> => {
  const directory = await mkdtemp(join(tmpdir(), "sourcewire-sizes-"))
  const rows: Array<ReadonlyArray<string>> = []
  try {
    await installInto(directory, "sizes", await packAll(directory), [
      ...PACKAGES.map((name) => `@sourcewire/${name}`),
      "effect"
    ])
    for (const { budgetBytes, code, name } of entries) {
      const [esbuilt, rolled] = [await byEsbuild(code, directory), await byRolldown(code, directory)]
      const [one, other] = [esbuilt, rolled].map((bytes) => gzipSync(bytes, { level: 9 }).length) as [number, number]
      const budget =
        budgetBytes === undefined ? "" : verdict(inKb(budgetBytes), one <= budgetBytes && other <= budgetBytes)
      rows.push([name, inKb(esbuilt.length), inKb(one), inKb(other), budget])
    }
  } finally {
    await rm(directory, { recursive: true, maxRetries: 3 })
  }
  return {
    table: [["used", "minified, kB", "gzipped, kB", "by rolldown, gzipped, kB", "budget, kB"], ...rows],
    notes: []
  }
}
