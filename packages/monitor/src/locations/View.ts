/** The state of a target at each of its locations. */
import type { Known } from "../watch/Watched.ts"

/** The state of a target at one location. */
export interface View {
  readonly location: string
  readonly known: Known
}

/** The states of a target at all its locations. */
export interface Views {
  readonly views: ReadonlyArray<View>
  /** If the start of a disagreement was reported, but not its end: the reported states, by location. Otherwise `undefined`. */
  readonly disagreement: string | undefined
}
