/** A box with a title on a server's page. */
import type { ComponentChild } from "preact"
import * as words from "../words.ts"

interface PanelProps {
  readonly id: string
  readonly title: string
  /** The number of entries. If it is above 0, the panel shows it beside the title. */
  readonly count?: number
  /** If the panel has no content: the text that it shows instead. Otherwise, `false`. */
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
