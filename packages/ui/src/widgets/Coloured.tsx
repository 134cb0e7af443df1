/** Shows untrusted text in the colours of its colour codes. */
import { colourRuns, displayText } from "@sourcewire/core/text"

/** Shows the text. If the text is written from right to left, it does not change the direction of the surrounding text. */
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
