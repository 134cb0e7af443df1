/** A box with a title on a server's page. */
import type { ComponentChild } from "preact"
import * as words from "../words.ts"

interface PanelProps {
  readonly id: string
  readonly title: string
  /** The number of entries. If the number is 0, it is not shown. */
  readonly count?: number
  /** The text that the panel shows if it has no content. */
  readonly empty: ComponentChild
  readonly children: ComponentChild
}

/** The panel. Long content scrolls inside it. */
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
