/** All examples as cards, and a list of the protocol documents with the examples from each document. */
import { useEffect } from "preact/hooks"
import { openDatagrams } from "../decode/workbench.ts"
import { parameters } from "../state/address.ts"
import { Button } from "@sourcewire/ui/widgets"
import { type Example, readExample, exampleGroups, examples } from "./examples.ts"
import { DOCUMENTS, Sources } from "@sourcewire/ui/inspector"

const open = ({ id, look, source, title }: Example): void =>
  void openDatagrams(readExample(id), `${title} (${source}). ${look}`)

export const ExampleCards = ({ examples }: { readonly examples: ReadonlyArray<Example> }) => (
  <ul class="cards">
    {examples.map((example) => (
      <li key={example.id} class="card">
        <Button data-example={example.id} onClick={() => open(example)}>
          <strong>{example.title}</strong>
          <span>{example.look}</span>
        </Button>
        <small>
          <Sources text={example.source} />
        </small>
      </li>
    ))}
  </ul>
)

const Documents = () => {
  const chosen = parameters.value.get("doc")
  useEffect(() => {
    if (chosen !== undefined) document.querySelector(`#document-${CSS.escape(chosen)}`)?.scrollIntoView()
  }, [chosen])
  return (
    <section aria-label="Documents">
      <h2>The documents</h2>
      <dl class="documents">
        {Object.entries(DOCUMENTS).map(([number, text]) => (
          <div key={number} id={`document-${number}`} class={number === chosen ? "chosen" : undefined}>
            <dt>{number}</dt>
            <dd>
              {text}{" "}
              {examples
                .filter(({ source }) => source.endsWith(number))
                .map((example) => (
                  <Button key={example.id} onClick={() => open(example)}>
                    {example.title}
                  </Button>
                ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export const Examples = () => (
  <div class="examples">
    {exampleGroups.map(({ examples, title }) => (
      <section key={title} aria-label={title}>
        <h2>{title}</h2>
        <ExampleCards examples={examples} />
      </section>
    ))}
    <Documents />
  </div>
)
