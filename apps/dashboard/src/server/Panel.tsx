/** A box with a title on a server's page. */
import type { ComponentChild } from "preact"
import * as words from "../words.ts"

interface PanelProps {
  readonly id: string
  readonly title: string
  /** The number of entries, shown beside the title. 0 is not shown. */
  readonly count?: number
  /** The text that the panel shows instead of its content. `false` if there is content. */
  readonly empty: ComponentChild
  readonly children: ComponentChild
}

/** The panel. If the content is too high, it scrolls inside the panel. */
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
