/** The title of the browser's tab. */
import { useEffect } from "preact/hooks"
import { isSilent } from "./live.ts"
import { isolated } from "./words.ts"

const NAME = "Sourcewire monitor"

/** Puts the shown thing in front of the name while it is shown, and says if the monitor does not reply. */
export const useTitle = (shown: string): void => {
  const connection = isSilent.value ? "No connection" : ""
  useEffect(() => {
    document.title = [connection, shown === "" ? "" : isolated(shown), NAME].filter((part) => part !== "").join(" – ")
    return () => void (document.title = NAME)
  }, [shown, connection])
}
