/** The inputs of a form for each kind of element. */
import { Button, Checkbox, Select } from "@sourcewire/ui/widgets"
import { useSignal } from "@preact/signals"
import { type Draft, type Element, chooseInput } from "./draftFields.ts"

/**
 * Converts a typed text to a number. If the text is not a number, the result is the text, so that the encoder reports an error about it.
 */
export const numberOr = (text: string): number | string => {
  const trimmed = text.trim()
  if (/^-?(?:\d+\.?\d*(?:e[+-]?\d+)?|0x[0-9a-f]+)$/i.test(trimmed)) return Number(trimmed)
  return text
}

interface InputProps {
  readonly id: string
  readonly value: unknown
  readonly set: (value: unknown) => void
}

interface NumberInputProps extends Omit<InputProps, "id"> {
  readonly id?: string
  readonly class?: string
  readonly "aria-label"?: string
}

/** An input for numbers. The user can type a decimal number, with or without a fraction, or a whole number in hex after `0x`. */
export const NumberInput = ({ set, value, ...rest }: NumberInputProps) => (
  <input
    {...rest}
    inputMode="numeric"
    autocomplete="off"
    value={String(value ?? "")}
    onInput={(event) => set(numberOr(event.currentTarget.value))}
  />
)

/** An input for values that are stored as text, such as bytes in hex or 64-bit numbers. */
export const TextInput = ({ id, mono, set, value }: InputProps & { readonly mono?: boolean }) => {
  const text = String(value ?? "")
  // This element is a textarea even for short texts. If the page replaced an input with a textarea during typing, the focus would be lost.
  const rows = text.includes("\n") || text.length > 90 ? 3 : 1
  return (
    <textarea
      id={id}
      class={mono === true ? "mono" : undefined}
      autocomplete="off"
      spellcheck={false}
      value={text}
      rows={rows}
      wrap={rows === 1 ? "off" : "soft"}
      onInput={(event) => set(event.currentTarget.value)}
    />
  )
}

const wordsIn = (text: string): ReadonlyArray<string> => text.match(/\S+/g) ?? []

/**
 * An input with one address per line. If the typed text contains exactly the addresses of the value, the input shows the typed text, so
 * that empty lines do not disappear during typing. Otherwise, the input shows the value.
 */
export const AddressesInput = ({ id, set, value }: InputProps) => {
  const typed = useSignal("")
  const lines = (value as ReadonlyArray<string>).join("\n")
  return (
    <textarea
      id={id}
      class="mono"
      rows={4}
      value={wordsIn(typed.value).join("\n") === lines ? typed.value : lines}
      onInput={(event) => {
        typed.value = event.currentTarget.value
        set(wordsIn(typed.value))
      }}
    />
  )
}

const OTHER = "another number"

const CodeInput = ({ id, names, set, value }: InputProps & { readonly names: ReadonlyArray<string> }) => {
  const named = typeof value === "string" && names.includes(value)
  return (
    <>
      <Select
        id={id}
        value={named ? value : OTHER}
        options={[...names, OTHER]}
        choose={(name) => set(name === OTHER ? 0 : name)}
      />
      {named ? null : <NumberInput aria-label="Number" class="short" value={value} set={set} />}
    </>
  )
}

interface ValueProps {
  readonly element: Element
  readonly id: string
  readonly record: Draft
  readonly set: (name: string, value: unknown) => void
}

/** The input of an element that is neither a group nor a list. */
export const Value = ({ element, id, record, set }: ValueProps) => {
  const value = record[element.name]
  const own = (changed: unknown) => set(element.name, changed)
  switch (element.kind) {
    case "text":
    case "quoted": {
      const raw = record[`${element.name}Hex`]
      if (raw === undefined) return <TextInput id={id} value={value} set={own} />
      return (
        <>
          <TextInput id={id} mono value={raw} set={(changed) => set(`${element.name}Hex`, changed)} />
          <Button title={String(value)} onClick={() => set(`${element.name}Hex`, undefined)}>
            Write it as text
          </Button>
        </>
      )
    }
    case "u64":
    case "bytes":
    case "word":
      return <TextInput id={id} mono value={value} set={own} />
    case "flag": {
      const byte = record[`${element.name}Code`]
      if (byte === undefined) return <Checkbox id={id} checked={value === true} set={own} />
      return (
        <>
          <NumberInput id={id} class="short" value={byte} set={(changed) => set(`${element.name}Code`, changed)} />
          <Button title="Yes" onClick={() => set(`${element.name}Code`, undefined)}>
            Write it as 1
          </Button>
        </>
      )
    }
    case "code":
      return <CodeInput id={id} names={Object.keys(element.names)} value={value} set={own} />
    case "decimal": {
      const format = chooseInput(element)
      if (format === "u64") return <TextInput id={id} mono value={value} set={own} />
      if (format === "flag") return <Checkbox id={id} checked={value === true} set={own} />
      return <NumberInput id={id} value={value} set={own} />
    }
    default:
      return <NumberInput id={id} value={value} set={own} />
  }
}
