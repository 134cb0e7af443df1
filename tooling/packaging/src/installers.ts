/** Lists the package managers that our users use, and follows the first steps of a README with one of these package managers. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { programs } from "../../programs/programs.mjs"
import { run } from "./packed.ts"

/** A package manager, and the runtime that runs the README's first program after the installation. */
export interface Installer {
  readonly name: "npm" | "npm, CommonJS" | "pnpm" | "Bun" | "Deno"
  readonly transport: string
  /** The files that are written into the folder before the installation: a map from the name of each file to its JSON content. */
  readonly files: Readonly<Record<string, object>>
  /** The command that installs packages. The names of the packages are its last arguments. */
  readonly add: (cache: string) => readonly [string, ...ReadonlyArray<string>]
  /** The command that runs a file. The name of the file is its last argument. */
  readonly run: readonly [string, ...ReadonlyArray<string>]
}

const MANIFEST = { "package.json": { private: true, type: "module" } }

/** All supported package managers. */
export const installers: ReadonlyArray<Installer> = [
  {
    name: "npm",
    transport: "transport-node",
    files: MANIFEST,
    add: () => ["npm", "install", "--no-audit", "--no-fund"],
    run: [programs.node]
  },
  {
    // In npm 11, `npm init -y` writes this package.json.
    name: "npm, CommonJS",
    transport: "transport-node",
    files: { "package.json": { name: "first", version: "1.0.0", main: "index.js", type: "commonjs" } },
    add: () => ["npm", "install", "--no-audit", "--no-fund"],
    run: [programs.node22]
  },
  {
    // With pnpm, a package cannot import a package that is missing from its own dependencies. npm allows such imports.
    name: "pnpm",
    transport: "transport-node",
    files: { ...MANIFEST, "pnpm-workspace.yaml": { packages: [] } },
    add: (cache) => ["pnpm", "add", `--config.storeDir=${cache}`],
    run: [programs.node]
  },
  {
    name: "Bun",
    transport: "transport-bun",
    files: MANIFEST,
    add: () => [programs.bun, "add"],
    run: [programs.bun]
  },
  {
    name: "Deno",
    transport: "transport-deno",
    files: { "deno.json": { nodeModulesDir: "auto" } },
    add: () => [programs.deno, "add", "--npm"],
    run: [programs.deno, "run", "--unstable-net", "--allow-net", "--no-prompt"]
  }
]

/**
 * Parses the first two code blocks of a README: the installation and the first program. The name of the program's file is taken from the
 * text between the two blocks. If this text contains no file name, the name is `first.` followed by the language of the second block, for
 * example `first.ts`.
 */
const parseBeginning = (readme: string) => {
  const [line, first] = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  if (line?.[1] !== "sh" || first === undefined)
    throw new Error("The README must begin with a sh block that installs packages, and a block with a first program")
  const packages = line[2]!.match(/(?<=[ :])@?[a-z][\w/-]*(?=\s)/g)!.filter((word) => !/^(install|add)$/.test(word))
  const language = first[1]!
  const [, file = `first.${language}`] = /`([\w-]+\.m[jt]s)`/.exec(readme.slice(line.index, first.index)) ?? []
  return { packages, language, file, code: first[2]! }
}

/**
 * The registry and the cache that the package manager uses, and the address of a game server. This address replaces the addresses of game
 * servers in the README.
 */
export interface Surroundings {
  readonly registry: string
  readonly cache: string
  readonly server: string
}

/**
 * Follows the first steps of a README in a new folder, with the package manager, the runtime and the transport of `installer`. Returns the
 * output of the README's first program. Rejects if the installation or the program fails.
 */
export const follow = async (
  readme: string,
  installer: Installer,
  directory: string,
  { cache, registry, server }: Surroundings
): Promise<string> => {
  const text = readme
    .replaceAll("transport-node", installer.transport)
    .replaceAll(/\b(127\.0\.0\.1|192\.0\.2\.7):27015\b/g, server)
  const { code, file, language, packages } = parseBeginning(text)
  await mkdir(directory, { recursive: true })
  const asCommand = `sourcewire() { ${installer.run.join(" ")} node_modules/sourcewire/dist/sourcewire.js "$@"; }\n`
  const files = {
    ".npmrc": `registry=${registry}\n`,
    "servers.txt": `${server}\n`,
    [file]: language === "sh" ? asCommand + code : code
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
  for (const [name, content] of Object.entries(installer.files)) {
    await writeFile(join(directory, name), JSON.stringify(content))
  }
  const env = {
    NPM_CONFIG_REGISTRY: registry,
    npm_config_cache: cache,
    BUN_INSTALL_CACHE_DIR: cache,
    DENO_DIR: cache
  }
  const [program, ...args] = installer.add(cache)
  await run(program, [...args, ...packages], directory, env)
  const [runtime, ...flags] = language === "sh" ? (["sh", "-e"] as const) : installer.run
  return run(runtime, [...flags, file], directory, env)
}
