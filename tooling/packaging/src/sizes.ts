/**
 * How much each entry adds to a bundle, minified and gzipped, its parts of Effect included. Fails when an entry with a budget is
 * above it; `--write` puts the table into the docs.
 *
 *     pnpm sizes [--write]
 */
import { nodeResolve } from "@rollup/plugin-node-resolve"
import { build, transform } from "esbuild"
import { writeFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { rollup } from "rollup"
import { markdown, options, plain, root } from "../../bench/report.ts"
import { installInto, packAll } from "./packed.ts"

/** A program that uses one thing, and what it may weigh in bytes. */
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
    budgetBytes: 7.5 * kB
  },
  {
    name: "protocol: decode any message",
    code: `import { decode } from "@sourcewire/protocol"; console.log(decode(new Uint8Array(9)))`
  },
  {
    name: "protocol: decode, encode and dissect any message, join fragments",
    code: `import { decode, dissect, encode } from "@sourcewire/protocol"; import { Reassembler } from "@sourcewire/protocol/machines"; console.log(decode, dissect, encode, Reassembler)`,
    budgetBytes: 21 * kB
  },
  {
    name: "protocol/schemas: a schema of INFO",
    code: `import { InfoReply } from "@sourcewire/protocol"; import { toSchema } from "@sourcewire/protocol/schemas"; console.log(toSchema(InfoReply))`
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
    budgetBytes: 45 * kB
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

/** A file, and all that is loaded with it, each once; what `importsOf` does not know is no file of the bundle. */
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

/** By esbuild: all that is loaded before anything is called; chunks that an `import()` loads do not count. */
const byEsbuild = async (code: string, directory: string): Promise<Uint8Array> => {
  const { metafile, outputFiles } = await build({
    ...minified,
    stdin: { contents: code, resolveDir: directory, loader: "ts" },
    splitting: true,
    outdir: join(directory, "out"),
    platform: "neutral",
    // As on the platforms `node` and `browser`.
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

/** By rollup, in the same sense; esbuild then minifies. */
const byRollup = async (code: string, directory: string): Promise<Uint8Array> => {
  const entry = join(directory, "entry.js")
  await writeFile(entry, code)
  const bundle = await rollup({
    input: entry,
    external: /^node:/,
    plugins: [nodeResolve()],
    onwarn: () => undefined
  })
  const { output } = await bundle.generate({ format: "esm" })
  const chunks = new Map(output.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one]] : [])))
  const loaded = loadedWith(output[0].fileName, (file) => chunks.get(file)?.imports)
  const small = await Promise.all(
    loaded.map((file) => transform(chunks.get(file)!.code, { minify: true, format: "esm", target: "es2022" }))
  )
  return Buffer.concat(small.map(({ code }) => Buffer.from(code)))
}

const inKb = (bytes: number): string => (bytes / kB).toFixed(1)

const PACKAGES = ["core", "emulator", "protocol", "server", "transport-bun", "transport-deno", "transport-node"]

const directory = await mkdtemp(join(tmpdir(), "sourcewire-sizes-"))
const rows: Array<ReadonlyArray<string>> = []
const problems: Array<string> = []
try {
  await installInto(directory, "sizes", await packAll(directory), [
    ...PACKAGES.map((name) => `@sourcewire/${name}`),
    "effect"
  ])
  for (const { budgetBytes, code, name } of entries) {
    const [esbuilt, rolledUp] = [await byEsbuild(code, directory), await byRollup(code, directory)]
    const [one, other] = [esbuilt, rolledUp].map((bytes) => gzipSync(bytes, { level: 9 }).length) as [number, number]
    rows.push([name, inKb(esbuilt.length), inKb(one), inKb(other), budgetBytes === undefined ? "" : inKb(budgetBytes)])
    for (const [bundler, bytes] of [
      ["esbuild", one],
      ["rollup", other]
    ] as const) {
      if (budgetBytes !== undefined && bytes > budgetBytes) {
        problems.push(`${name} weighs ${inKb(bytes)} kB by ${bundler}, ${inKb(bytes - budgetBytes)} more than it may`)
      }
    }
  }
} finally {
  await rm(directory, { recursive: true, maxRetries: 3 })
}

const table = [["used", "minified, kB", "gzipped, kB", "by rollup, kB", "budget, kB"], ...rows]
console.log(plain(table))
if (options({}).write) {
  const about =
    "What using one thing adds to a bundle of the packed packages in an empty project, its parts of Effect included: all that is loaded before something is called (esbuild; by rollup gzipped too). Made by `pnpm sizes --write`."
  writeFileSync(join(root, "docs/benchmarks/sizes.md"), `# Bundle sizes\n\n${about}\n\n${markdown(table)}\n`)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
