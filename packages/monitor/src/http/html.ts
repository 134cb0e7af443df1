/** Text inside HTML and SVG. */

/** Escapes the characters that have a meaning in markup. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
