/** The badge of a server, and the code that shows the badge on other pages. */
import { useSignal } from "@preact/signals"
import { CopyButton, Select } from "@sourcewire/ui/widgets"
import { PERIODS } from "../words.ts"

const FORMATS: Readonly<Record<string, (image: string, link: string) => string>> = {
  Markdown: (image, link) => `[![Server](${image})](${link})`,
  HTML: (image, link) => `<a href="${link}"><img src="${image}" alt="Server"></a>`,
  BBCode: (image, link) => `[url=${link}][img]${image}[/img][/url]`,
  Address: (image) => image
}

/**
 * The contents that the user can choose for a badge. The badge shows them beside the server's name. Each key is the query string that
 * selects one choice in the URL of the badge.
 */
const CONTENTS = {
  "": "Players and map",
  ...Object.fromEntries(Object.entries(PERIODS).map(([period, title]) => [`?uptime=${period}`, `Uptime, ${title}`]))
}

export const Badge = ({ address, id }: { readonly address: string; readonly id: number }) => {
  const format = useSignal("Markdown")
  const query = useSignal("")
  const path = `badge/${encodeURIComponent(address)}.svg${query.value}`
  const base = location.href.split("#", 1)[0]!
  const text = FORMATS[format.value]!(`${base}${path}`, `${base}#/server/${id}`)
  return (
    <section class="panel badge" aria-labelledby="badge">
      <h3 id="badge">Badge</h3>
      <img src={path} alt="" height={20} />
      <pre tabIndex={0} aria-label="Code">
        <code>{text}</code>
      </pre>
      <div class="bar">
        <Select
          label="Content"
          value={query.value}
          options={CONTENTS}
          choose={(chosen) => void (query.value = chosen)}
        />
        <Select
          label="Format"
          value={format.value}
          options={Object.keys(FORMATS)}
          choose={(name) => void (format.value = name)}
        />
        <CopyButton label="Copy" text={text} />
      </div>
      <p class="quiet">
        Readers need access to the monitor, unless <code>publicBadges</code> is on.
      </p>
    </section>
  )
}
