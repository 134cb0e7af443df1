/** Draws the arrows of an exchange. Users can select each arrow with the pointer or the keyboard. */
import { useMatches } from "@sourcewire/ui/widgets"
import { type Arrow, type Bracket, FIRST, placeArrows } from "./sequence.ts"

const HEAD = 7

/**
 * The size of the diagram. `width`, and the positions of the lifelines of the client and of the server, are in CSS pixels. `characters` is
 * the number of characters that fit between the lifelines.
 */
interface Frame {
  readonly width: number
  readonly client: number
  readonly server: number
  readonly characters: number
}

const WIDE: Frame = { width: 640, client: 84, server: 600, characters: 62 }
const NARROW: Frame = { width: 350, client: 76, server: 338, characters: 32 }

interface SequenceDiagramProps {
  readonly arrows: ReadonlyArray<Arrow>
  /** For each reply that arrived in fragments: a bracket that marks the fragments. */
  readonly brackets: ReadonlyArray<Bracket>
  readonly chosen: number
  readonly choose: (index: number) => void
  /** Names of the client and of the server. */
  readonly local: string
  readonly remote: string
}

export const SequenceDiagram = ({ arrows, brackets, chosen, choose, local, remote }: SequenceDiagramProps) => {
  const heights = placeArrows(arrows)
  const frame = useMatches("(max-width: 700px)") ? NARROW : WIDE
  const { client, server, width } = frame
  const height = (heights.at(-1) ?? FIRST) + 26
  return (
    <div class="sequence">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="group"
        aria-label="The exchange over time"
      >
        <text class="life-name" x={client} y="14">
          {local}
        </text>
        <text class="life-name" x={server} y="14" text-anchor="end">
          {remote}
        </text>
        <line class="life" x1={client} x2={client} y1="20" y2={height} />
        <line class="life" x1={server} x2={server} y1="20" y2={height} />
        {arrows.map((arrow, i) => (
          <ArrowLine
            key={i}
            frame={frame}
            arrow={arrow}
            y={heights[i]!}
            chosen={i === chosen}
            choose={() => choose(i)}
          />
        ))}
        {brackets.map(({ first, label, last }) => {
          const reach = Math.min(16, width - server - 4)
          const [top, bottom] = [heights[first]! - 8, heights[last]! + 8]
          return (
            <g key={first} class="bracket">
              <title>{`${label}: ${last - first + 1} datagrams`}</title>
              <path d={`M${server + reach - 7} ${top}h7V${bottom}h-7`} />
            </g>
          )
        })}
      </svg>
    </div>
  )
}

interface ArrowLineProps {
  readonly arrow: Arrow
  readonly frame: Frame
  readonly y: number
  readonly chosen: boolean
  readonly choose: () => void
}

const ArrowLine = ({ arrow, choose, chosen, frame: { characters, client, server, width }, y }: ArrowLineProps) => {
  const right = arrow.direction === "sent"
  const end = right ? (arrow.unanswered ? server - 70 : server) : client
  const start = right ? client : server
  const back = right ? -HEAD : HEAD
  const name = `${arrow.label}${arrow.again ? " again" : ""}`
  const detail = arrow.unanswered ? "no reply" : arrow.detail
  return (
    <g
      class={`arrow ${arrow.direction}${chosen ? " chosen" : ""}${arrow.unanswered ? " unanswered" : ""}${arrow.again ? " again" : ""}`}
      role="button"
      // Attributes of SVG elements are case-sensitive. Therefore the name of this attribute must be in lower case.
      tabindex={0}
      aria-pressed={chosen}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        choose()
      }}
    >
      <desc>{right ? "sent to the server" : "received from the server"}</desc>
      <rect x="0" y={y - 17} width={width} height="24" />
      <text class="when" x={client - 10} y={y + 1} text-anchor="end">
        {arrow.timeMs.toFixed(1)} ms
      </text>
      <line x1={start} x2={end} y1={y} y2={y} />
      {arrow.unanswered ? (
        <path d={`M${end - 5} ${y - 5}l10 10m0 -10l-10 10`} />
      ) : (
        <path class="head" d={`M${end} ${y}l${back} -4v8z`} />
      )}
      <text class="what" x={client + 12} y={y - 4}>
        <tspan class="label">{name}</tspan> <tspan class="detail">{shorten(detail, characters - name.length)}</tspan>
      </text>
    </g>
  )
}

/** Truncates a text that is longer than `max`, and adds an ellipsis. A character of two UTF-16 code units is never split. */
export const shorten = (text: string, max: number): string =>
  text.length > max
    ? `${Array.from(text)
        .slice(0, Math.max(0, max - 1))
        .join("")}…`
    : text
