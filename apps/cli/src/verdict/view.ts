/** Formats findings as text and as JSON. */
import type { Verdict } from "@sourcewire/verdict"
import type { Canvas } from "../output/output.ts"
import { safe } from "../output/text.ts"

/** The lines that describe the findings for a server. */
export const findingLines = ({ findings }: Verdict, { palette }: Pick<Canvas, "palette">): ReadonlyArray<string> =>
  findings.flatMap(({ expected, honest, kind, observed, strength }) => [
    `  ${(strength === "strong" ? palette.bad : palette.faint)(`${strength}: ${kind}`)}  ${safe(observed)}`,
    palette.faint(`    Expected: ${expected}`),
    palette.faint(`    Honest explanations: ${honest.join("; ")}.`)
  ])

/** The verdict as JSON. The address is omitted, because the result line already contains the address. */
export const verdictJson = ({ contradicted, findings, observations }: Verdict) => ({
  contradicted,
  observations,
  findings
})
