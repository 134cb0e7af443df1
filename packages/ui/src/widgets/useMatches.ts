/** Returns whether a media query matches. When the result changes, the component that uses this hook is rendered again. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"

export const useMatches = (query: string): boolean => {
  const matches = useSignal(matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const follow = (): void => void (matches.value = list.matches)
    list.addEventListener("change", follow)
    return () => list.removeEventListener("change", follow)
  }, [query])
  return matches.value
}
