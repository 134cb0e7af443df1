/**
 * All examples, a card each.
 *
 * @module
 */
import { galleryGroups } from "./gallery.ts"
import { openExample } from "./open.ts"

/** See the module. */
export const Gallery = () => (
  <div class="gallery">
    {galleryGroups.map(({ examples, title }) => (
      <section key={title} aria-label={title}>
        <h2>{title}</h2>
        <ul class="cards">
          {examples.map((example) => (
            <li key={example.id}>
              <button type="button" class="card" data-example={example.id} onClick={() => void openExample(example.id)}>
                <strong>{example.title}</strong>
                <span>{example.look}</span>
                <small>{example.source}</small>
              </button>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)
