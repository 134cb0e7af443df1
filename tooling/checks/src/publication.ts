/** What every published package says of where it comes from. `pnpm exports` writes it into each package.json. */

/** The repository's public address. Not known yet: `pnpm release` refuses while it is one of `.invalid`. */
export const address = "https://example.invalid/sourcewire"

/** Whether the repository has an address that people can open. */
export const hasAddress = !new URL(address).hostname.endsWith(".invalid")

const keywords = ["a2s", "game-server", "rcon", "server-query", "source-engine", "steam", "valve"]

/** The fields of the package in a directory, which is relative to the root. */
export const publication = (dir: string) => ({
  keywords,
  homepage: `${address}/tree/main/${dir}#readme`,
  bugs: { url: `${address}/issues` },
  author: "Sourcewire contributors",
  repository: { type: "git", url: `git+${address}.git`, directory: dir }
})
