/** What the browser calls the page. */
import { useEffect } from "preact/hooks"

const NAME = "Sourcewire monitor"

/** What is shown, in front of the name, for as long as it is shown. */
export const useTitle = (shown: string): void =>
  useEffect(() => {
    document.title = shown === "" ? NAME : `${shown} – ${NAME}`
    return () => void (document.title = NAME)
  }, [shown])
