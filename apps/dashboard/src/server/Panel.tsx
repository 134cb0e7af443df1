/** A box with a title on a server's page. */
import type { ComponentChild } from "preact"
import * as words from "../words.ts"

interface PanelProps {
  readonly id: string
  readonly title: string
  /** How many there are of what is in it. */
  readonly count?: number
  /** What to say where there is nothing. */
  readonly empty: ComponentChild
  readonly children: ComponentChild
}

/** What is long in it scrolls. */
export const Panel = ({ children, count = 0, empty, id, title }: PanelProps) => (
  <section class="panel" aria-labelledby={id}>
    <h3 id={id}>
      {title} {count > 0 && <span class="quiet">{words.count(count)}</span>}
    </h3>
    {empty ? (
      <p class="quiet">{empty}</p>
    ) : (
      <div class="scroll" tabIndex={0} role="group" aria-labelledby={id}>
        {children}
      </div>
    )}
  </section>
)
