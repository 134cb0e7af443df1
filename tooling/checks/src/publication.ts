/** The repository address and other common fields of published packages. `pnpm generate` writes them into each package.json. */

/** The repository's public address. The real address is not known yet: while the host name ends with `.invalid`, `pnpm release` fails. */
export const address = "https://example.invalid/sourcewire"

/** Whether the repository has a real address. */
export const hasAddress = !new URL(address).hostname.endsWith(".invalid")

const keywords = ["a2s", "game-server", "rcon", "server-query", "source-engine", "steam", "valve"]

/** The fields of the package in the directory `dir` (relative to the root). */
export const publication = (dir: string) => ({
  keywords,
  homepage: `${address}/tree/main/${dir}#readme`,
  bugs: { url: `${address}/issues` },
  author: "Sourcewire contributors",
  repository: { type: "git", url: `git+${address}.git`, directory: dir }
})
