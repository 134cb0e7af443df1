/** The title of the browser's tab. */
import { useEffect } from "preact/hooks"
import { isUnreachable } from "./live.ts"
import { isolated } from "./words.ts"

const NAME = "Sourcewire monitor"

/**
 * Sets the title of the tab while a view is shown. The title contains a text of the view (`shown`) and the name of the program. If the
 * monitor is unreachable, the title begins with a note about this problem.
 */
export const useTitle = (shown: string): void => {
  const connection = isUnreachable.value ? "No connection" : ""
  useEffect(() => {
    document.title = [connection, shown === "" ? "" : isolated(shown), NAME].filter((part) => part !== "").join(" – ")
    return () => void (document.title = NAME)
  }, [shown, connection])
}
