/** Results of comparisons with programs of other authors, and the page that lists them. */

/** The result of one program in one situation. */
export interface Row {
  readonly program: string
  readonly version: string
  readonly from: "npm" | "Debian"
  /** Our program in this comparison: one of our servers, or our client. */
  readonly with: string
  readonly compared: string
  readonly result: string
}

/** The comparison of one part of the data: its name, its amount, and the names of the values that differ. */
export interface Comparison {
  readonly part: string
  /** The amount of compared data, for example `20 players`. */
  readonly amount: string
  /** Names of the values that differ. `undefined` if the program failed. */
  readonly differs: ReadonlyArray<string> | undefined
}

/**
 * Reasons for differences. A pattern is compared with a text of the form `program, situation: part`. If a difference has no reason, the run
 * fails.
 */
export type Reasons = ReadonlyArray<readonly [about: RegExp, reason: string]>

/** The page shows this text if a difference has no reason. */
export const UNEXPLAINED = "UNEXPLAINED"

const listed = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

/** The texts of the cells "compared" and "result" of a row. */
export const cells = (
  comparisons: ReadonlyArray<Comparison>,
  key: string,
  reasons: Reasons
): Pick<Row, "compared" | "result"> => {
  const byReason = new Map<string, Array<string>>()
  for (const { differs, part } of comparisons) {
    if (differs?.length === 0) continue
    const what = differs === undefined ? "no result" : `${differs.slice(0, 3).join(", ")}, ${differs.length} in all`
    const reason = reasons.find(([about]) => about.test(`${key}: ${part}`))?.[1] ?? `${UNEXPLAINED} (${what})`
    byReason.set(reason, [...(byReason.get(reason) ?? []), part])
  }
  const wrong = [...byReason].map(
    ([reason, parts]) => `${listed(parts)} ${parts.length === 1 ? "differs" : "differ"}: the client ${reason}`
  )
  const fine = comparisons.filter(({ differs }) => differs?.length === 0).map(({ part }) => part)
  const agrees = fine.length === 0 ? [] : [`${listed(fine)} ${fine.length === 1 ? "agrees" : "agree"}`]
  return {
    compared: comparisons.map(({ amount }) => amount).join(", "),
    result: wrong.length === 0 ? "agrees" : [...agrees, ...wrong].join("; ")
  }
}

/** Returns the value of a promise, or `undefined` if the promise rejects or does not settle within `timeoutMs`. */
export const settled = async <A>(promise: Promise<A>, timeoutMs: number): Promise<A | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

const escape = (text: string): string => text.replaceAll("|", "\\|")

const table = (rows: ReadonlyArray<Row>): string => {
  const lines = rows.map((row) =>
    [row.program, row.version, row.from, row.with, row.compared, row.result].map(escape).join(" | ")
  )
  return ["| program | version | from | with | compared | result |", "|---|---|---|---|---|---|"]
    .concat(lines.map((line) => `| ${line} |`))
    .join("\n")
}

/** The text of the page with these rows. */
export const page = (
  clients: ReadonlyArray<Row>,
  servers: ReadonlyArray<Row>
): string => `# Interoperability with other programs

<!-- Written by \`pnpm interop --write\`. -->

This page shows the results of tests with programs of other authors. The tests run these authors' clients with our servers, and our client with these authors' servers. A test fails if a result differs from this page. Only the versions of Debian packages may differ: the lockfile pins the npm packages, and \`.ci/run\` installs the current Debian packages.

## Other clients with our servers

Each client queries our emulated server, our proxy, our RCON server or our master server. The test compares the client's result with the result of our own client, which queries the emulated server directly. The test does not compare the play times of players, because each client formats these times differently.

${table(clients)}

## Other servers with our client

${table(servers)}

In npm and Debian 12, we found no game server that replies to A2S queries. We also found no master server with Valve's protocol. Instead, the tests of our client replay recordings of Xash3D, ReHLDS, HLTV and a query cache.

The tests do not run these servers:

- mvdsv (QuakeWorld) and openarena-server (ioquake3 with its own data) of Debian.
- The test server of gorcon, which is a Go module. This test server sends a login reply with the id 0. A test of our client contains this reply.
`
