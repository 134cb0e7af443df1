/**
 * Whether anything would let a package run a script of its own when it is installed, or fetch a program past the lockfiles:
 * pure functions of texts.
 */

/** What npm and pnpm run by themselves around an installation. */
const LIFECYCLE = [
  "preinstall",
  "install",
  "postinstall",
  "preprepare",
  "prepare",
  "postprepare",
  "dependencies",
  "pnpm:devPreinstall"
]

/** Scripts of a package.json that an installation would run. */
export const lifecycleScripts = (scripts: Readonly<Record<string, string>> = {}): ReadonlyArray<string> =>
  LIFECYCLE.filter((name) => name in scripts)

/** Sentences about a pnpm-workspace.yaml that lets packages run scripts, or does not fail on one that nobody has judged. */
export const allowedByPnpm = (yaml: string): ReadonlyArray<string> => {
  const [, builds = ""] = /^allowBuilds:[^\n]*\n((?:(?: .*|#.*)?\n)*)/m.exec(`${yaml}\n`) ?? []
  return [
    ...[...builds.matchAll(/^ +'?"?([^\s'":]+)'?"?:(?! *false$) *(.+)$/gm)].map(
      ([, name, value]) => `allowBuilds has ${name}: ${value}`
    ),
    ...[...yaml.matchAll(/^(dangerouslyAllowAllBuilds|onlyBuiltDependencies\w*|ignoredBuiltDependencies)\b/gm)].map(
      ([, name]) => `${name} has no place there`
    ),
    ...(/^strictDepBuilds: true$/m.test(yaml) ? [] : ["strictDepBuilds is not true"]),
    ...(/^verifyStoreIntegrity: (?!true$)/m.test(yaml) ? ["verifyStoreIntegrity is not true"] : [])
  ]
}

/** Commands in a text that fetch a program and run it, whatever the lockfiles say. */
export const fetchedPrograms = (text: string): ReadonlyArray<string> =>
  [
    ...text.matchAll(/\b(?:npx|pnpx|bunx|corepack|(?:npm|pnpm|yarn)\W{1,5}(?:dlx|init|create|exec\W{1,5}package))\b/g)
  ].map(([command]) => command)
