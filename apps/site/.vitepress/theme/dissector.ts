/** Loads the dissector of a page when the reader scrolls near its place. */
import type { DissectorOptions } from "@sourcewire/ui/dissector"

/**
 * Shows a dissector in `host` when `host` is nearly visible. Returns a function that removes the dissector, or cancels it if it is not
 * shown yet.
 */
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
