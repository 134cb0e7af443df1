/**
 * The inspector alone, for pages that are not the playground: the documentation's. It stands in a shadow root, so that the styles of
 * neither page reach the other; colours are those of the page around it (`style/tokens.css`).
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
  /** Bytes in any spelling that the playground takes, a datagram a line. */
  readonly bytes: string
  /** Unique on the page. */
  readonly id: string
  /** Address of the playground, for a link to the same bytes there. */
  readonly playground?: string | undefined
}

/** Shows bytes taken apart in an empty element, and gives what takes them away again. */
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

/** As high as what it shows, up to what the style allows. */
const Sized = ({ children, inspection }: { readonly children: ComponentChildren; readonly inspection: Inspection }) => {
  const sections = inspection.anatomy.value?.sections ?? []
  const rows = sections.reduce((sum, { bytes }) => sum + 1 + Math.ceil((bytes.length + 1) / 16), 0)
  return (
    <div class="dissector" style={{ "--lines": String(inspection.lines.value.length), "--rows": String(rows) }}>
      {children}
    </div>
  )
}
