/** Text inside HTML and SVG. */

/** The text with the characters replaced that markup is made of. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
