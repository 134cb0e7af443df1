/**
 * What runs is what was reviewed: every package that the workspace can import or start has a hash in a committed lockfile, none
 * runs a script when it is installed, nothing is fetched past the lockfiles, and workflows name the commit of each action.
 *
 * The exception is said in `.ci/run`: programs of the distribution, which some tests compare with, and which its own package
 * manager verifies.
 */
import { existsSync, globSync, realpathSync } from "node:fs"
import { dirname } from "node:path"
import { programs } from "../../programs/programs.mjs"
import { allowedByPnpm, fetchedPrograms, lifecycleScripts } from "./installScripts.ts"
import { readNpmLock, readPnpmLock, unhashed, unlocked } from "./lockfiles.ts"
import { conclude, files, type Manifest, read, root } from "./workspace.ts"

const lock = new Map([
  ...readPnpmLock(read("pnpm-lock.yaml")),
  ...["tooling/pnpm", "tooling/binaries/runtimes"].flatMap((folder) => [
    ...readNpmLock(read(`${folder}/package-lock.json`))
  ])
])
const folders = globSync(["package.json", "{packages,apps,tooling}/*/package.json", "examples/package.json"], {
  cwd: root
}).map((path) => dirname(path).replaceAll("\\", "/"))

const problems = [
  ...unhashed(lock).map((name) => `${name}: a lockfile has no hash of it`),
  ...unlocked(realpathSync(root), folders, lock),
  ...allowedByPnpm(read("pnpm-workspace.yaml")).map((problem) => `pnpm-workspace.yaml: ${problem}`),
  ...["tooling/pnpm/.npmrc", "tooling/binaries/runtimes/.npmrc"]
    .filter((path) => !/^ignore-scripts=true$/m.test(read(path)))
    .map((path) => `${path}: runs scripts`)
]

for (const folder of folders) {
  const { scripts } = JSON.parse(read(`${folder}/package.json`)) as Manifest
  for (const name of lifecycleScripts(scripts)) problems.push(`${folder}/package.json: an installation runs "${name}"`)
}

// The texts that start programs; this check's own are about such commands.
for (const file of files().filter((path) =>
  /^(\.ci\/run|(tooling\/(?!checks\/).*)?[^/]+\.(ts|mjs|json))$/.test(path)
)) {
  for (const command of fetchedPrograms(read(file))) problems.push(`${file}: "${command}" runs what no lockfile has`)
}

for (const file of files().filter((path) => path.startsWith(".github/workflows/"))) {
  for (const [, action] of read(file).matchAll(/\buses: *(\S+)/g))
    if (!/^\.\/|@[0-9a-f]{40}$/.test(action!)) problems.push(`${file}: ${action} is not pinned by its commit`)
}

const { packageManager } = JSON.parse(read("package.json")) as { readonly packageManager: string }
for (const name of lock.keys()) {
  const [, platform, version] = /^@pnpm\/exe\.(.+)@(.+)$/.exec(name) ?? []
  if (version !== undefined && `pnpm@${version}` !== packageManager)
    problems.push(`package.json: packageManager is ${packageManager}, for ${platform} ${version} is locked`)
}

// Where none is locked for the platform, `npm test` said at its start whose it uses.
if (existsSync(programs.node) && realpathSync(programs.node) !== realpathSync(process.execPath)) {
  problems.push(`the checks run on ${process.version}, which is not the Node of the lockfile`)
}

conclude(problems, `${lock.size} packages are locked by hash, and none runs a script`)
