/**
 * The fields of a message as blocks, in the order of their bytes. Each block shows the bytes, the name and the value of a field. If a field
 * is a list, each of its entries is a block.
 */
import { toHex } from "@sourcewire/protocol"
import type { FieldNode } from "@sourcewire/ui/analysis"
import { choose, type Inspection } from "@sourcewire/ui/inspector"

const SHOWN_BYTES = 12

/**
 * Formats the value of a field. For the header and the type of a message, the text is their meaning in words, which is easier to understand
 * than their numbers. For raw bytes, the text is empty.
 */
const formatValue = ({ meaning, tone, type, value }: FieldNode): string =>
  type === "bytes" ? "" : tone === "head" ? (meaning ?? value) : value

interface RibbonProps {
  readonly inspection: Inspection
  readonly blocks: ReadonlyArray<FieldNode>
}

export const Ribbon = ({ blocks, inspection }: RibbonProps) => {
  const anatomy = inspection.anatomy.value
  if (anatomy === undefined) return null
  const formatHex = ({ spans }: FieldNode): string => {
    const whole = spans.map(({ end, section, start }) => toHex(anatomy.sections[section]!.bytes, start, end)).join("")
    const shown = whole.slice(0, 2 * SHOWN_BYTES).replace(/..(?=.)/g, "$& ")
    return whole.length > 2 * SHOWN_BYTES ? `${shown} …` : shown
  }
  return (
    <div class="ribbon" role="group" aria-label="Fields in the order of the bytes" tabIndex={0}>
      {blocks.map((node) => (
        <button
          key={node.id}
          type="button"
          class={`block tone-${node.tone}`}
          data-block={node.id}
          aria-pressed={inspection.chosen.value === node.id}
          onClick={() => choose(inspection, node.id)}
        >
          <span class="block-bytes">{formatHex(node)}</span>
          <span class="block-name">{node.id.replace(/^\d+:/, "")}</span>
          <span class="block-value">{formatValue(node)}</span>
        </button>
      ))}
    </div>
  )
}
