/**
 * Access control. If a token or users are configured, clients need the token, or the name and the password of a user. Otherwise, clients
 * need no credentials, but the `Host` header of a request must be `localhost` or a numeric address.
 */
import { compare } from "bcryptjs"
import * as Schema from "effect/Schema"
import { createHash, timingSafeEqual } from "node:crypto"

/**
 * The web configuration file: a certificate and users, as JSON. The keys are those of the web configuration of Prometheus'
 * exporter-toolkit. Because JSON is valid YAML, Prometheus' own programs accept this file, too.
 */
export const WebConfig = Schema.Struct({
  tls_server_config: Schema.optionalKey(Schema.Struct({ cert_file: Schema.String, key_file: Schema.String })),
  /** The names of the users, each with the bcrypt hash of the password. `htpasswd -nbBC 10 "" PASSWORD` creates such a hash. */
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
 * The credentials. If there is neither a token nor a user, clients need no credentials. In this case, the `Host` header of a request must
 * be `localhost` or a numeric address.
 */
export interface Access {
  readonly token?: string | undefined
  /** The names of the users, each with the bcrypt hash of the password. */
  readonly users?: Readonly<Record<string, string>> | undefined
}

/**
 * The result of checking a request: `welcome`: access is granted. `unknown`: the credentials are missing or wrong. `foreign`: the host name
 * in the request is not permitted. `busy`: too many passwords are being checked.
 */
export type Verdict = "welcome" | "unknown" | "foreign" | "busy"

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const sameText = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

/** Reads the cost in a bcrypt hash. A comparison with cost `n + 1` needs twice the work of a comparison with cost `n`. */
const parseCost = (hash: string): number => Number(hash.slice(4, 6))

/** Builds a hash with the given cost. No password matches this hash. */
const makeUnmatchedHash = (cost: number): string =>
  `$2b$${`${cost}`.padStart(2, "0")}$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`

/**
 * Cost of the hash with which wrong passwords are compared if a token, but no user, is configured. Without this comparison, an attacker
 * could see from the time of a reply that there are no users.
 */
const DEFAULT_COST = 10

/**
 * Compares a password with a hash. The total work always equals one comparison with the cost `most`, the highest cost. Therefore the time
 * does not reveal whose hash was compared. If the cost of the hash is lower than `most`, further comparisons add the missing work: one
 * comparison for each cost from the cost of the hash to `most - 1`.
 */
const compareFor = async (password: string, hash: string, most: number): Promise<boolean> => {
  const isRight = await compare(password, hash)
  for (let cost = parseCost(hash); cost < most; cost++) await compare(password, makeUnmatchedHash(cost))
  return isRight
}

/** Maximum number of cached credentials. Correct credentials are cached, because a comparison with a bcrypt hash is slow. */
const MAX_CACHED = 64
/** Maximum number of passwords that are checked at the same time. The check of one password needs about 0.1 s of CPU time. */
const MAX_CHECKS = 4

/**
 * The names under which a browser may reach a monitor without a password. With DNS rebinding, an attacker directs their own domain name to
 * this host. Therefore only `localhost` and numeric addresses are permitted: an attacker cannot register these names.
 */
const OWN_NAME = /^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])(:\d+)?$/i

/** Returns a function that checks the headers of a request. The names of the headers must be in lower case. */
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
    // Browsers can ask the user only for a name and a password. Therefore the token is also accepted as a password.
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
