/** Checks the version of Node. An old version would fail later, in the middle of a command, with an error that does not name the cause. */

/** The error if `version` is older than `range` requires (`>=22.19`). Bun reports the version of Node that it is compatible with. */
export const findVersionProblem = (version: string, range: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const oldest = range.slice(">=".length)
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
    ? undefined
    : `Node ${version} is too old. Sourcewire requires Node ${oldest} or newer.`
}
