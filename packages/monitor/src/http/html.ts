/** Text inside HTML and SVG. */

/** The text with characters of markup replaced. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
