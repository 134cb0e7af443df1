/** Converts blocks of bytes in the pages (`hex`) to dissectors, one datagram per line. Without scripts, the bytes are shown as text. */
import type { MarkdownRenderer } from "vitepress"

/** Converts each block to a `<Dissector>`. */
export const dissectors = (markdown: MarkdownRenderer): void => {
  const plain = markdown.renderer.rules.fence!
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { content, info } = tokens[index]!
    if (info.trim() !== "hex") return plain(tokens, index, options, env, self)
    return `<Dissector bytes="${content.trim().replaceAll("\n", ";")}" />\n`
  }
}
