/** Finds the sentences in a file, and checks whether a sentence matches a pattern that makes it hard to read. */
import { lineAt } from "./source.ts"

/** A sentence with its area and its line number. */
export interface Source {
  readonly area: "docs" | "help" | "errors" | "comments"
  readonly line: number
  readonly text: string
}

/** A sentence that is probably hard to read, with advice in `rule`. */
export interface Finding {
  readonly rule: string
  readonly line: number
  readonly text: string
}

/**
 * Patterns of sentences that are hard to read, each with advice for a better sentence. Ordinary sentences match none of these patterns.
 */
const RULES: ReadonlyArray<readonly [pattern: RegExp, rule: string]> = [
  [
    /^(?:What|Who|Whom|Whatever|Those that|Those who|That which)\b(?!.*\?$)/,
    "name the subject: server, client, file, user"
  ],
  [/\b(?:[Ww]hoever|[Nn]obody|[Ww]hom)\b/, "machines are not people: name the client, server or user"],
  [/\b[Ss]trangers?\b/, "unverified address, spoofed source, or client"],
  [/\bunless (?:given|told|said|asked|told otherwise)\b/, "(default: …)"],
  [/\bso long as\b/, "while, or if"],
  [/^Where\b(?!.*\?$)/, "If …, or When …"],
  [/\b(?:and|,) that is said\b|\bis (?:said|told) (?:of|at once)\b|\bis told\b/, "is reported"],
  [/\banew\b/, "again"],
  [/\bbelieves?\b|\bbelieved\b/, "accept, use"],
  [/\bbears?\b|\bbore\b/, "support, allow"],
  [/\bmakes? no sense\b/, "is invalid"],
  [/\boutlives?\b|\boutlasts?\b/, "continue after"],
  [
    /(?<!\b(?:or|some(?:thing|body|one|where)|any(?:thing|body|one|where)|every(?:thing|body|one|where)|no(?:thing|body|where)|what|who|if|all) )\belse\b(?! if\b)(?!')/i,
    "otherwise"
  ],
  [/\bevery so (?:many|often)\b|\bso many (?:in a row|seconds)\b/, "name the number"],
  [/\bin its stead\b|\bin (?:his|their) stead\b|\bin its turn\b/, "in place of, or when it is due"],
  [/\b(?:comes?|came|brings?|brought) along\b/, "includes"],
  [/\bthe one (?:behind|in front)\b/, "upstream, proxy"],
  [/\bas it was\b|\bhow it was\b|\bhow it is doing\b/, "say which value"],
  [/\bof one's own\b|\bof his own\b/, "your own"]
]

/** Maximum number of words in a sentence. */
const MAX_WORDS = 45

/** Returns advice for each pattern of `RULES` that a sentence matches, and advice if the sentence is too long. */
export const findingsIn = (sentence: string): ReadonlyArray<string> => {
  const words = sentence.split(/\s+/).length
  return [
    ...RULES.filter(([pattern]) => pattern.test(sentence)).map(([, rule]) => rule),
    ...(words > MAX_WORDS ? [`${words} words: split the sentence`] : [])
  ]
}

/** Files that are not checked, because they are generated or describe earlier versions. */
const GENERATED = /(^|\/)(CHANGELOG\.md|generated\/.*|fixtures\/.*)$|^\.changeset\//

const HELP = "docs/reference/command-line.md"

/** Replaces code by placeholders and links by their texts, and removes other markup. */
const plain = (text: string): string =>
  text
    // Each piece of code becomes a different placeholder. Two equal placeholders in a row would be reported as a repeated word.
    .replaceAll(/`[^`]*`/g, (_, offset: number) => `code${offset}`)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\{@link ([^}\s]+)[^}]*\}/g, "$1")
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/“[^”]*”|"[^"]*"/g, (_, offset: number) => `text${offset}`)
    .replaceAll(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Returns the sentences of a paragraph, without fragments of one or two words. */
const splitSentences = (text: string): ReadonlyArray<string> =>
  plain(text)
    .split(/(?<=[.!?:)])\s+(?=[A-Z(]|code\d)|;\s+/)
    .filter((sentence) => sentence.split(" ").length > 2)

/**
 * The paragraphs of a Markdown text, each with the number of its first line. Each table cell and each list item is a paragraph of its own.
 */
const splitParagraphs = (text: string): ReadonlyArray<readonly [line: number, paragraph: string]> => {
  const found: Array<[number, string]> = []
  let isCode = false
  let isOpen = false
  for (const [index, line] of text.split("\n").entries()) {
    const trimmed = line.trim()
    if (/^(```|~~~)/.test(trimmed)) isCode = !isCode
    if (isCode || /^(```|~~~|#|\|[-:| ]+\|$|<)/.test(trimmed) || trimmed === "" || /^( {4}|\t)/.test(line)) {
      isOpen = false
    } else if (trimmed.startsWith("|")) {
      isOpen = false
      for (const cell of trimmed.split(/(?<!\\)\|/)) found.push([index + 1, cell])
    } else if (isOpen && !/^([-*]|\d+\.) /.test(trimmed)) {
      found.at(-1)![1] += ` ${trimmed}`
    } else {
      found.push([index + 1, trimmed.replace(/^([-*]|\d+\.) /, "")])
      isOpen = true
    }
  }
  return found
}

const COMMENT = /\/\*\*([\s\S]*?)\*\/|(?<=^\s*)\/\/ ([^\n]*(?:\n\s*\/\/ [^\n]*)*)/gm

/**
 * Matches string literals that contain a sentence, such as an error message. A sentence begins with a capital letter and ends with a
 * full stop or an exclamation mark.
 */
const MESSAGE = /(["`])([A-Z](?:(?!\1)[^\n\\]|\\.){14,}?[.!])\1/g

/** Returns the sentences in a Markdown file, or in the comments and messages of a source file. The result is empty for a test file. */
export const listSources = (path: string, text: string): ReadonlyArray<Source> => {
  if (GENERATED.test(path)) return []
  if (path.endsWith(".md")) {
    const commands = path === HELP ? text.indexOf("<!-- commands") : -1
    const from = commands < 0 ? Infinity : lineAt(text, commands)
    return splitParagraphs(text).flatMap(([line, paragraph]) =>
      splitSentences(paragraph).map((one): Source => ({ area: line > from ? "help" : "docs", line, text: one }))
    )
  }
  if (!/\/src\/.*\.tsx?$/.test(path) || !/^(apps|packages|tooling)\//.test(path)) return []
  const comments = [...text.matchAll(COMMENT)].flatMap((match) => {
    const comment = (match[1] ?? match[2]!).replaceAll(/^\s*(\*|\/\/) ?/gm, "")
    return splitParagraphs(comment.replaceAll(/^@(\w+)/gm, "")).flatMap(([line, paragraph]) =>
      splitSentences(paragraph).map((one): Source => ({
        area: "comments",
        line: lineAt(text, match.index) + line - 1,
        text: one
      }))
    )
  })
  const messages = [...text.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, " ")).matchAll(MESSAGE)]
  return [
    ...comments,
    ...messages.flatMap((match) =>
      splitSentences(match[2]!.replaceAll(/\$\{[^}]*\}/g, (_: string, offset: number) => `value${offset}`)).map(
        (one): Source => ({ area: "errors", line: lineAt(text, match.index), text: one })
      )
    )
  ]
}
