/**
 * The inspector for pages outside of the playground, such as the documentation. It uses a shadow root, so that its styles and the styles of
 * the page do not affect each other. Only the colours are those of the page: the page must define the variables of `style/tokens.css`.
 */
import { readText } from "@sourcewire/capture"
import { signal } from "@preact/signals"
import { type ComponentChildren, render } from "preact"
import { anatomise } from "../analysis/anatomise.ts"
import { firstWorthwhile, survey } from "../analysis/survey.ts"
import { packDatagrams } from "../bytes/share.ts"
import { Inspector } from "../inspector/Inspector.tsx"
import { type Inspection, makeInspection } from "../inspector/inspection.ts"
import base from "../style/base.css?inline"
import inspector from "../style/inspector.css?inline"
import own from "./dissector.css?inline"

export interface DissectorOptions {
  /** Bytes in any format that the playground accepts, one datagram per line. */
  readonly bytes: string
  /** Id of the inspector, which must be unique on the page. */
  readonly id: string
  /** Address of the playground. If it is set, the inspector has a link that opens `bytes` in the playground. */
  readonly playground?: string | undefined
}

/**
 * Dissects bytes, and shows the inspector in an empty element. If there are several datagrams, only one datagram or joined reply is shown
 * (see `firstWorthwhile`). Returns a function that empties the element again.
 */
export const showDissector = async (
  host: HTMLElement,
  { bytes, id, playground }: DissectorOptions
): Promise<() => void> => {
  const read = readText(bytes)
  if (!read.ok) throw new Error(read.message)
  const rows = survey(read.datagrams)
  const row = rows[firstWorthwhile(rows)]!
  const inspection = makeInspection(signal(anatomise(row, read.datagrams)))
  const packed = playground === undefined ? undefined : await packDatagrams(read.datagrams)
  const root = host.attachShadow({ mode: "open" })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(base + inspector + own)
  root.adoptedStyleSheets = [sheet]
  render(
    <Sized inspection={inspection}>
      <Inspector
        id={id}
        inspection={inspection}
        actions={
          packed === undefined ? null : (
            <a class="button" href={`${playground}#decode?d=${packed}`}>
              Open in the playground
            </a>
          )
        }
      />
    </Sized>,
    root
  )
  return () => render(null, root)
}

/** An element whose height grows with its content, up to the limit in the stylesheet. */
const Sized = ({ children, inspection }: { readonly children: ComponentChildren; readonly inspection: Inspection }) => {
  const sections = inspection.anatomy.value?.sections ?? []
  const rows = sections.reduce((sum, { bytes }) => sum + 1 + Math.ceil((bytes.length + 1) / 16), 0)
  return (
    <div class="dissector" style={{ "--lines": String(inspection.lines.value.length), "--rows": String(rows) }}>
      {children}
    </div>
  )
}
