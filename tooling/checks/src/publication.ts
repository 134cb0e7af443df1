/** The fields that every published package.json contains, such as the repository address. `pnpm generate` writes these fields. */

/** The repository's public address. The real address is not known yet: while the host name ends with `.invalid`, `pnpm release` fails. */
export const address = "https://example.invalid/sourcewire"

/** Whether `address` is a real address and not a placeholder. */
export const hasAddress = !new URL(address).hostname.endsWith(".invalid")

const keywords = ["a2s", "game-server", "rcon", "server-query", "source-engine", "steam", "valve"]

/** Returns the fields that every published package.json contains. `dir` is the directory of the package, relative to the root. */
export const publication = (dir: string) => ({
  keywords,
  homepage: `${address}/tree/main/${dir}#readme`,
  bugs: { url: `${address}/issues` },
  author: "Sourcewire contributors",
  repository: { type: "git", url: `git+${address}.git`, directory: dir }
})
