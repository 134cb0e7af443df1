/** Creates findings. By default, a finding has the severity and the hint of its kind. */
import { type Finding, type FindingKind, KINDS, type Place, type Severity } from "./Finding.ts"

interface Details {
  readonly field?: string | undefined
  readonly hint?: string | undefined
  readonly severity?: Severity
}

export const finding = (
  kind: FindingKind,
  text: string,
  places: ReadonlyArray<Place>,
  { field, hint, severity }: Details = {}
): Finding => ({
  kind,
  severity: severity ?? KINDS[kind].severity,
  text,
  hint: hint ?? KINDS[kind].hint,
  places,
  ...(field === undefined ? {} : { field })
})
