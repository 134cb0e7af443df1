/** Blocks of bytes in the pages (`hex`) become dissectors: one datagram a line. Without scripts they stay the bytes that they are. */
import type { MarkdownRenderer } from "vitepress"

/** Makes a `<Dissector>` of each block. */
export const dissectors = (markdown: MarkdownRenderer): void => {
  const plain = markdown.renderer.rules.fence!
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { content, info } = tokens[index]!
    if (info.trim() !== "hex") return plain(tokens, index, options, env, self)
    return `<Dissector bytes="${content.trim().replaceAll("\n", ";")}" />\n`
  }
}
