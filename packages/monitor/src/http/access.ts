/**
 * Access control. If neither a token nor users are configured, every client that reaches the monitor as `localhost` or by a numeric address
 * may read. Otherwise, clients need the token, or a name and its password.
 */
import { compare } from "bcryptjs"
import * as Schema from "effect/Schema"
import { createHash, timingSafeEqual } from "node:crypto"

/**
 * The web configuration file, which contains a certificate and users. The file has the same keys as the web configuration of Prometheus'
 * exporter-toolkit. JSON is valid YAML, so Prometheus' own programs accept the same file.
 */
export const WebConfig = Schema.Struct({
  tls_server_config: Schema.optionalKey(Schema.Struct({ cert_file: Schema.String, key_file: Schema.String })),
  /** Names and bcrypt hashes of passwords. `htpasswd -nbBC 10 "" PASSWORD` creates such a hash. */
  basic_auth_users: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.String.check(
        Schema.isPattern(/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/, { message: "expected a bcrypt hash" })
      )
    )
  )
})

/**
 * The credentials. If there is neither a token nor a user, every client that reaches the monitor as `localhost` or by a numeric address may
 * read.
 */
export interface Access {
  readonly token?: string | undefined
  /** Names, and bcrypt hashes of their passwords. */
  readonly users?: Readonly<Record<string, string>> | undefined
}

/**
 * The result of checking a request: access is granted, the credentials are missing or wrong, the request needs a permitted host name, or
 * too many passwords are being checked.
 */
export type Verdict = "welcome" | "unknown" | "foreign" | "busy"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const sameText = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

/** Parses the cost of a bcrypt hash. If the cost increases by 1, the work doubles. */
const parseCost = (hash: string): number => Number(hash.slice(4, 6))

/** Builds a hash with the given cost. No password matches the hash. */
const makeUnmatchedHash = (cost: number): string =>
  `$2b$${`${cost}`.padStart(2, "0")}$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`

/** The cost of the comparison if no user is configured. */
const DEFAULT_COST = 10

/**
 * Compares a password with a hash. The total work always equals one comparison with cost `most`, so that the time does not reveal whose
 * hash was compared. A comparison with cost `n + 1` needs twice the work of a comparison with cost `n`. Therefore one additional comparison
 * with each cost, from the cost of the hash to `most - 1`, adds the missing work.
 */
const compareFor = async (password: string, hash: string, most: number): Promise<boolean> => {
  const isRight = await compare(password, hash)
  for (let cost = parseCost(hash); cost < most; cost++) await compare(password, makeUnmatchedHash(cost))
  return isRight
}

/** Maximum number of cached pairs of a name and its correct password. The pairs are cached because the computation of a hash is slow. */
const MAX_CACHED = 64
/** Maximum number of passwords that are checked at the same time. Each check needs a tenth of a second of CPU time. */
const MAX_CHECKS = 4

/**
 * The names under which a browser may reach a monitor without a password. With DNS rebinding, an attacker directs their own domain name to
 * this host. Only `localhost` and numeric addresses are permitted, because an attacker cannot register them as domain names.
 */
const OWN_NAME = /^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])(:\d+)?$/i

/** Returns a function that checks a request by its headers. The names of the headers are in lower case. */
export const makeGate = ({ token, users = {} }: Access) => {
  const isGuarded = token !== undefined || Object.keys(users).length > 0
  const costs = Object.values(users).map(parseCost)
  const most = costs.length === 0 ? DEFAULT_COST : Math.max(...costs)
  const known = new Set<string>()
  let checks = 0

  const ofPassword = async (credentials: string): Promise<Verdict> => {
    const key = digest(credentials).toString("hex")
    if (known.has(key)) return "welcome"
    const colon = credentials.indexOf(":")
    const [name, password] = [credentials.slice(0, colon), credentials.slice(colon + 1)]
    // A browser can only send a name and a password, so the token is also accepted as the password.
    if (token !== undefined && sameText(password, token)) return "welcome"
    // Clients with the token are accepted above, before the number of checks is limited. Therefore a client that guesses passwords cannot
    // block clients with the token.
    if (checks >= MAX_CHECKS) return "busy"
    const hash = Object.hasOwn(users, name) ? users[name] : undefined
    checks++
    const isRight = await compareFor(password, hash ?? makeUnmatchedHash(most), most).finally(() => checks--)
    if (!isRight || hash === undefined) return "unknown"
    known.add(key)
    if (known.size > MAX_CACHED) known.delete(known.keys().next().value!)
    return "welcome"
  }

  return async (headers: Readonly<Record<string, string | undefined>>): Promise<Verdict> => {
    if (!isGuarded) return OWN_NAME.test(headers["host"] ?? "") ? "welcome" : "foreign"
    const [, scheme = "", given = ""] = /^(\w+) +(\S+)$/.exec(headers["authorization"] ?? "") ?? []
    if (scheme.toLowerCase() === "bearer") return token !== undefined && sameText(given, token) ? "welcome" : "unknown"
    if (scheme.toLowerCase() === "basic") return ofPassword(Buffer.from(given, "base64").toString("utf8"))
    return "unknown"
  }
}
