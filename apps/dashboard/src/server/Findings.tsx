/**
 * The findings about a server: facts that contradict each other. For each finding, the page also lists legitimate set-ups that can cause
 * the contradiction.
 */
import type { FindingRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert } from "@sourcewire/ui/widgets"
import { useEffect } from "preact/hooks"
import { getJson, errorMessage } from "../requests.ts"
import { formatDate, since } from "../words.ts"
import { Panel } from "./Panel.tsx"

const STRENGTHS: Readonly<Record<FindingRow["strength"], string>> = {
  strong: "strong: no legitimate set-up that we know shows it with default settings",
  medium: "medium: some legitimate set-ups show it",
  weak: "weak: often legitimate"
}

/** The findings that apply now. Findings that no longer apply are loaded when the user asks for them. */
export const Findings = ({ findings, id }: { readonly findings: ReadonlyArray<FindingRow>; readonly id: string }) => (
  <Panel id="findings" title="Findings" count={findings.length} empty={false}>
    {findings.length === 0 ? (
      <p class="quiet">No facts contradict each other. That does not prove that a server is genuine.</p>
    ) : (
      <ul class="findings">
        {findings.map((finding) => (
          <Finding key={finding.kind} {...finding} />
        ))}
      </ul>
    )}
    <Earlier id={id} />
  </Panel>
)

const Finding = ({ expected, from, honest, kind, observed, strength }: FindingRow) => (
  <li>
    <strong>{kind}</strong> <span class="quiet">{STRENGTHS[strength]}</span>
    <p>
      <bdi>{observed}</bdi>
    </p>
    <dl>
      <dt>Expected</dt>
      <dd>{expected}</dd>
      <dt>Honest explanations</dt>
      <dd>{honest.join("; ")}</dd>
      <dt>First found</dt>
      <dd title={formatDate(from)}>{since(from)} ago</dd>
    </dl>
  </li>
)

/** The findings that no longer apply. */
const Earlier = ({ id }: { readonly id: string }) => {
  const isOpen = useSignal(false)
  const rows = useSignal<ReadonlyArray<FindingRow> | undefined>(undefined)
  const trouble = useSignal<string | undefined>(undefined)
  useEffect(() => {
    if (!isOpen.value) return
    const controller = new AbortController()
    getJson<ReadonlyArray<FindingRow>>(`targets/${id}/findings?limit=100`, controller.signal).then(
      (found) => void (rows.value = found.filter(({ to }) => to !== undefined)),
      (error: unknown) => void (controller.signal.aborted || (trouble.value = errorMessage(error)))
    )
    return () => controller.abort()
  }, [id, isOpen.value])
  return (
    <details onToggle={({ currentTarget }) => void (isOpen.value = currentTarget.open)}>
      <summary>Earlier findings</summary>
      <Alert text={trouble.value} />
      {rows.value?.length === 0 && <p class="quiet">None.</p>}
      <ul>
        {rows.value?.map(({ from, kind, observed, to }) => (
          <li key={`${kind} ${from}`}>
            {kind}, {formatDate(from)} to {formatDate(to!)}: <bdi>{observed}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}
