/** Shows untrusted text in the colours of its colour codes. */
import { colourRuns, displayText } from "@sourcewire/core/text"

/** Shows the text. A text that is written from right to left does not change the direction of the text around it. */
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
