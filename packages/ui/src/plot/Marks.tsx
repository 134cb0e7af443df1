/** Shows events as small marks above a plot. The marks use the time axis of the plot. */
import type { Span } from "../Spans.ts"

export interface Mark {
  readonly key: number
  /** Time of the event in seconds. */
  readonly at: number
  readonly text: string
}

/** The position of a time on a time axis, as a CSS length. */
export const formatPosition = (at: number, [from, to]: Span): string => `${(100 * (at - from)) / (to - from)}%`

interface MarksProps {
  readonly label: string
  readonly marks: ReadonlyArray<Mark>
  readonly span: Span
}

export const Marks = ({ label, marks, span }: MarksProps) => {
  const shown = marks.filter(({ at }) => at >= span[0] && at <= span[1])
  if (shown.length === 0) return null
  return (
    <ol class="axis marks" aria-label={label}>
      {shown.map(({ at, key, text }) => (
        <li key={key} style={{ left: formatPosition(at, span) }} title={text}>
          <span class="hidden">{text}</span>
        </li>
      ))}
    </ol>
  )
}
