/** Escapes text for HTML and SVG. */

/** Replaces the characters that have a meaning in markup by character references. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
