/** All examples, a card each. */
import { Button } from "../widgets/forms.tsx"
import { openDatagrams } from "../decode/workbench.ts"
import { type Example, datagramsOf, exampleGroups } from "./examples.ts"

const open = ({ id, look, source, title }: Example): void =>
  void openDatagrams(datagramsOf(id), `${title} (${source}). ${look}`)

/** Some of the examples; a click opens one. */
export const ExampleCards = ({ examples }: { readonly examples: ReadonlyArray<Example> }) => (
  <ul class="cards">
    {examples.map((example) => (
      <li key={example.id}>
        <Button class="card" data-example={example.id} onClick={() => open(example)}>
          <strong>{example.title}</strong>
          <span>{example.look}</span>
          <small>{example.source}</small>
        </Button>
      </li>
    ))}
  </ul>
)

/** The view. */
export const Examples = () => (
  <div class="examples">
    {exampleGroups.map(({ examples, title }) => (
      <section key={title} aria-label={title}>
        <h2>{title}</h2>
        <ExampleCards examples={examples} />
      </section>
    ))}
  </div>
)
