/** The bar at the top of a page. It contains the title of the page and links to its views. */
import type { ComponentChild } from "preact"

interface TopProps {
  readonly page: string
  readonly home: string
  readonly views: ReadonlyArray<readonly [title: string, href: string, isShown: boolean]>
  readonly children?: ComponentChild
}

/** Shows the bar. `children` are shown at its end. */
export const Top = ({ children, home, page, views }: TopProps) => (
  <header class="top">
    <a class="brand" href={home}>
      <span class="logo" />
      <h1>
        Sourcewire <span>{page}</span>
      </h1>
    </a>
    <nav aria-label="Views">
      {views.map(([title, href, isShown]) => (
        <a key={title} href={href} aria-current={isShown ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
    {children}
  </header>
)
