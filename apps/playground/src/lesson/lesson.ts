/** Where somebody is in the lesson. */
import { computed, signal } from "@preact/signals"
import { anatomise } from "../analysis/anatomise.ts"
import { forget, makeInspection } from "../inspector/inspection.ts"
import { datagrams, steps } from "./exchange.ts"

/** Place in the steps. */
export const current = signal(0)

/** The datagram of the step, field by field. */
export const inspection = makeInspection(computed(() => anatomise(steps[current.value]!.row, datagrams)))

export const goTo = (step: number): void => {
  forget(inspection)
  current.value = step
}
