/** Text of strangers with the colours that they gave it. */
import { colourRuns } from "@sourcewire/core/ColourCodes"
import { displayText } from "@sourcewire/core/DisplayText"

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
