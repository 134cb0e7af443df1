/**
 * What can be changed in any of the ready-made profiles.
 *
 * @module
 */
import { number, optional, shape, text, whole } from "@sourcewire/server/machines"

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

/** What {@link ProfileOptions} must look like. */
export const profileOptions = shape({
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  name: optional(text),
  map: optional(text),
  port: optional(whole(0, 65_535)),
  people: optional(whole(0, 65_535))
})
