/** Shows a text. Parts between backticks are shown as code. */

export const Prose = ({ text }: { readonly text: string }) => (
  <>{text.split("`").map((piece, i) => (i % 2 === 0 ? piece : <code key={i}>{piece}</code>))}</>
)
