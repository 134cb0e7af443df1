/** The dissector in a page: loaded when its place comes near to being seen. */
import type { DissectorOptions } from "@sourcewire/ui/dissector"

/** Gives what takes the dissector away again, or calls it off. */
export const dissectorWhenSeen = (host: HTMLElement, options: DissectorOptions): (() => void) => {
  let close = (): void => observer.disconnect()
  const observer = new IntersectionObserver(
    async (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      const { showDissector } = await import("@sourcewire/ui/dissector")
      close = await showDissector(host, options)
    },
    { rootMargin: "200px" }
  )
  observer.observe(host)
  return () => close()
}
