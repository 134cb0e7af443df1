/** What can be changed in any of the ready-made profiles. */
import { demand, number, optional, shape, text, whole } from "@sourcewire/server/machines"
import type { Profile } from "@sourcewire/server"
import { type Random, seeded } from "../random.ts"

/** Everything is optional; a profile is convincing without. */
export interface ProfileOptions {
  /** Two profiles of one seed are equal to the last byte. Default 1. */
  readonly seed?: number
  /** Name of the server. */
  readonly name?: string
  /** Map being played. */
  readonly map?: string
  /** Port in the reply, as the outside world should see it. Default 27015. */
  readonly port?: number
  /** People on the server, bots not counted. */
  readonly people?: number
}

const profileOptions = shape({
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  name: optional(text),
  map: optional(text),
  port: optional(whole(0, 65_535)),
  people: optional(whole(0, 65_535))
})

/** What a profile is made of: its options, and numbers drawn from the seed. */
interface Filled extends Required<Omit<ProfileOptions, "seed">> {
  readonly random: Random
}

/** The maker of a profile, with what it says where the options say nothing. */
export const ready =
  (usual: Omit<ProfileOptions, "seed"> & Omit<Filled, "port" | "random">, make: (filled: Filled) => Profile) =>
  (options: ProfileOptions = {}): Profile => {
    demand(profileOptions, options)
    const { map = usual.map, name = usual.name, people = usual.people, port = usual.port ?? 27015, seed = 1 } = options
    return make({ map, name, people, port, random: seeded(seed) })
  }
