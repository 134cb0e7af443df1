/** Targets that could not be asked, or not for all, for a reason of this machine: nothing is known about them. */
import { isLocalFault } from "@sourcewire/core"
import type { Answered, ScanQuery, ScanResult } from "@sourcewire/core"

const faultOf = (error: { readonly _tag: string; readonly message: string } | undefined): string | undefined =>
  error !== undefined && error._tag === "SendFailed" && isLocalFault((error as { readonly code?: string }).code)
    ? error.message
    : undefined

/** Why this machine could not ask, in a sentence; `undefined` where it could. */
export const whyUnasked = (result: ScanResult<ScanQuery>): string | undefined => {
  if (result._tag === "Failed") return faultOf(result.error)
  const { errors } = result as Partial<Answered<"all">>
  return faultOf(errors?.players) ?? faultOf(errors?.rules)
}
