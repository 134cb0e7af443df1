/** Checks the version of Node. With an old version, a command would fail later, with an error that does not name the cause. */

/**
 * Returns an error message if `version` is older than the minimum in `range`. A range looks like `>=22.19`. On Bun, `version` is the
 * version of Node with which Bun is compatible.
 */
export const findVersionProblem = (version: string, range: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const oldest = range.slice(">=".length)
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
    ? undefined
    : `Node ${version} is too old. Sourcewire requires Node ${oldest} or newer.`
}
