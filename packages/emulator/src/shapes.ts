/** Checks for the options of this package's functions. */
import { type Check, func, must, number, optional, shape } from "@sourcewire/inside/checks"
import { listening, profileShape, responderOptions } from "@sourcewire/server/machines"
import { faultSwitches, TAKES } from "./Faults.ts"
import { isProfileName, profileNames } from "./profiles/index.ts"

const known = must(
  `one of ${profileNames.join(", ")}, or a profile`,
  (value) => typeof value === "function" || (typeof value === "string" && isProfileName(value))
)

const profile: Check = (value, option) =>
  (typeof value === "object" && value !== null ? profileShape : known)(value, option)

export const faults = shape({
  ...Object.fromEntries(faultSwitches.map(({ key, takes }) => [key, optional(TAKES[takes].check)])),
  seed: optional(number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
})

export const serverShape = shape({
  ...listening,
  profile: optional(profile),
  faults: optional(faults),
  intercept: optional(func),
  onServed: optional(func),
  responder: optional(responderOptions)
})
