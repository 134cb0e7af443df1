/** The server's badge, and what to write where it is to be seen. */
import { useSignal } from "@preact/signals"
import { CopyButton, Select } from "@sourcewire/playground/widgets"

const FORMATS: Readonly<Record<string, (image: string, link: string) => string>> = {
  Markdown: (image, link) => `[![Server](${image})](${link})`,
  HTML: (image, link) => `<a href="${link}"><img src="${image}" alt="Server"></a>`,
  BBCode: (image, link) => `[url=${link}][img]${image}[/img][/url]`,
  Address: (image) => image
}

export const Badge = ({ address, id }: { readonly address: string; readonly id: number }) => {
  const format = useSignal("Markdown")
  const path = `badge/${encodeURIComponent(address)}.svg`
  const base = location.href.split("#", 1)[0]!
  const text = FORMATS[format.value]!(`${base}${path}`, `${base}#/server/${id}`)
  return (
    <section class="panel badge" aria-labelledby="badge">
      <h3 id="badge">Badge</h3>
      <img src={path} alt="" height={20} />
      <pre tabIndex={0} aria-label="What to write">
        <code>{text}</code>
      </pre>
      <div class="bar">
        <Select
          label="As"
          value={format.value}
          options={Object.keys(FORMATS)}
          choose={(name) => void (format.value = name)}
        />
        <CopyButton label="Copy" text={text} />
      </div>
      <p class="quiet">
        Whoever reaches the monitor sees it; with <code>publicBadges</code>, without a password.
      </p>
    </section>
  )
}
