/** Options of all profiles, and how a profile is created from its declaration in `profiles.json`. */
import type { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import type { Profile } from "@sourcewire/server"
import { demand, number, optional, shape, text, whole } from "@sourcewire/inside/checks"
import { type Random, seeded } from "../random.ts"
import declared from "./profiles.json" with { type: "json" }

/** Options of a profile. You can omit any of them. */
export interface ProfileOptions {
  /** Seed of the generated data (default: 1). With the same seed and options, a profile always has the same data. */
  readonly seed?: number
  /** Name of the server. */
  readonly name?: string
  /** Map being played. */
  readonly map?: string
  /** The game port that INFO contains (default: the usual port of the game, for example 27015). */
  readonly port?: number
  /** Number of people on the server, excluding bots. */
  readonly people?: number
}

const profileOptions = shape({
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  name: optional(text),
  map: optional(text),
  port: optional(whole(0, 65_535)),
  people: optional(whole(0, 65_535))
})

/** Default fields of INFO: a dedicated server on Linux, which has no bots and no password, and does not use VAC. */
export const DEFAULT_INFO = {
  _tag: "InfoReply",
  protocol: 17,
  bots: 0,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: false
} as const

/** The fixed data of a profile, independent of options and seed. */
interface Declaration {
  readonly description: string
  /** Default values of the options. */
  readonly usual: Omit<Required<ProfileOptions>, "seed" | "port"> & Pick<ProfileOptions, "port">
  readonly bots?: number
  /** If `true`, INFO does not contain the port. */
  readonly hidesPort?: boolean
  readonly info?: Omit<InfoReply, keyof typeof DEFAULT_INFO | "name" | "map" | "players"> & Partial<InfoReply>
  readonly legacyInfo?: Omit<GoldSourceInfoReply, "_tag" | "address">
  readonly rules?: Readonly<Record<string, string>>
  /** The fields of HLTV's reply to `infostring`. The fields that the options determine are empty here. */
  readonly infoString?: Readonly<Record<string, string | number>>
  readonly behaviour: Omit<Profile, "name" | "description" | "info" | "legacyInfo" | "players" | "rules">
}

/** The argument of a profile's `make` function: the profile's declaration, the options with their defaults, and a random generator. */
export interface Filled extends Required<Omit<ProfileOptions, "seed">>, Omit<Declaration, "bots" | "info"> {
  readonly bots: number
  /** The INFO that the profile declares. */
  readonly info: InfoReply
  readonly random: Random
}

/**
 * The declaration of each profile, by the name of the profile. The type that TypeScript infers from the JSON file is not used, because it
 * has `string` instead of literal types. In addition, published type declarations cannot refer to the JSON file.
 */
const declarations = declared as unknown as Readonly<Record<string, Declaration>>

/**
 * Returns the function that creates the profile with the name `key`. `make` returns the parts of the profile that its declaration does not
 * contain.
 */
export const ready =
  (key: string, make: (filled: Filled) => Partial<Profile> = () => ({})) =>
  (options: ProfileOptions = {}): Profile => {
    demand(profileOptions, options)
    const declaration = declarations[key]!
    const { bots = 0, description, hidesPort = false, behaviour, usual } = declaration
    const { map = usual.map, name = usual.name, people = usual.people, port = usual.port ?? 27015, seed = 1 } = options
    const shown = { name, map, players: people + bots, bots, ...(hidesPort ? {} : { port }) }
    const info = { ...DEFAULT_INFO, ...shown, ...declaration.info! }
    return {
      name: key,
      description,
      ...(declaration.info === undefined ? {} : { info }),
      ...behaviour,
      ...make({ ...declaration, map, name, people, port, bots, info, random: seeded(seed) })
    }
  }
