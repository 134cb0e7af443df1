/**
 * Shows the link to a group's status page. If the status page is public, the component also shows the code that embeds it in other pages.
 */
import { CopyButton } from "@sourcewire/ui/widgets"

interface StatusPageProps {
  readonly group: string
  readonly isPublic: boolean
}

export const StatusPage = ({ group, isPublic }: StatusPageProps) => {
  const base = location.href.split("#", 1)[0]!
  const name = encodeURIComponent(group)
  return (
    <span class="bar">
      <a class="button" href={`status/${name}`}>
        Status page
      </a>
      {isPublic && (
        <CopyButton
          label="Copy embed code"
          text={`<iframe src="${base}embed/${name}" title="Server status" width="100%" height="400" loading="lazy"></iframe>`}
        />
      )}
    </span>
  )
}
