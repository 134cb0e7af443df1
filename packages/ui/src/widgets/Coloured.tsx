/** Text of strangers with the colours that they gave it. */
import { colourRuns, displayText } from "@sourcewire/core/text"

/** The text keeps its direction to itself. */
export const Coloured = ({ text }: { readonly text: string }) => (
  <bdi>
    {colourRuns(text).map(({ colour, text: part }, i) =>
      colour === undefined ? (
        displayText(part)
      ) : (
        <span key={i} class={`colour-${colour}`}>
          {displayText(part)}
        </span>
      )
    )}
  </bdi>
)
