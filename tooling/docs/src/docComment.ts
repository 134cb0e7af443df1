/** Parses a doc comment into its prose and its examples. */

export interface DocComment {
  /** The text before the first tag, as Markdown. `{@link Name}` is replaced by the name in backquotes. */
  readonly prose: string
  /** The code of each `@example`. Each example is a complete program. */
  readonly examples: ReadonlyArray<string>
}

/** Parses the text of a comment. The delimiters of the comment are not part of this text. */
export const readDocComment = (comment: string): DocComment => {
  const text = comment.replace(/^\*/, "").replace(/^[ \t]*\* ?/gm, "")
  const [prose = "", ...tags] = text.split(/^[ \t]*@(?=\w)/m)
  return {
    prose: prose.replace(/\{@link ([^}|]+?)(?:\s*\|[^}]*)?\}/g, "`$1`").trim(),
    examples: tags.filter((tag) => tag.startsWith("example")).map((tag) => tag.slice("example".length).trim())
  }
}

/** Returns the first sentence of a text, on one line, for the index of the API reference. */
export const firstSentence = (prose: string): string =>
  (/^[\s\S]*?\.(?=\s|$)/.exec(prose)?.[0] ?? prose).replace(/\s+/g, " ")
