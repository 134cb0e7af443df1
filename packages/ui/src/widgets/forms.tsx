/** Forms, and controls that show and change the value of a signal. */
import { displayText } from "@sourcewire/core/text"
import type { Signal } from "@preact/signals"
import type { ButtonHTMLAttributes, ComponentChild, InputHTMLAttributes } from "preact"

/** A form that calls a function when it is submitted, without leaving the page. */
export const Form = (props: {
  readonly class?: string
  readonly onSubmit: () => unknown
  readonly children: ComponentChild
}) => (
  <form
    class={props.class}
    onSubmit={(event) => {
      event.preventDefault()
      props.onSubmit()
    }}
  >
    {props.children}
  </form>
)

/** A button that does not submit its form. */
export const Button = (props: ButtonHTMLAttributes) => <button type="button" {...props} />

export const Submit = (props: ButtonHTMLAttributes) => <button type="submit" class="primary" {...props} />

/** A checkbox. When the user changes it, `set` is called with the new state. */
export const Checkbox = ({
  set,
  ...rest
}: {
  readonly id?: string
  readonly "aria-label"?: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly set: (checked: boolean) => void
}) => <input type="checkbox" {...rest} onChange={(event) => set(event.currentTarget.checked)} />

/**
 * A button that stops a running action. While no action is running, the button is still shown, so that the focus and the layout do not
 * change.
 */
export const Stop = ({ running, stop }: { readonly running: Signal<boolean>; readonly stop: () => void }) => (
  <Button aria-disabled={!running.value} onClick={stop}>
    Stop
  </Button>
)

interface ControlProps<A> {
  /** Accessible name. The name is visible only if `isLabelled` is set. */
  readonly label: string
  readonly isLabelled?: boolean
  readonly value: Signal<A>
}

const Label = ({ isLabelled = false, label }: Pick<ControlProps<unknown>, "label" | "isLabelled">) => (
  <>
    <span class={isLabelled ? undefined : "hidden"}>{label}</span>{" "}
  </>
)

export const TextField = (
  props: ControlProps<string> & {
    readonly class?: string
    readonly input?: InputHTMLAttributes
    readonly children?: ComponentChild
  }
) => (
  <label class={props.class}>
    <Label {...props} />
    <input
      autocomplete="off"
      spellcheck={false}
      {...props.input}
      value={props.value.value}
      onInput={(event) => void (props.value.value = event.currentTarget.value)}
    />
    {props.children}
  </label>
)

interface Options<A extends string> {
  /** The values that the user can choose: a list of values, or an object that contains the title of each value. */
  readonly options: ReadonlyArray<A> | Readonly<Record<A, string>>
  /** Elements that are shown in the list before `options`, for example an option without a value. */
  readonly children?: ComponentChild
}

/** A list from which the user chooses one value. The caller stores the value. */
export const Select = <A extends string>(
  props: Options<A> & {
    readonly id?: string
    readonly label?: string
    readonly value: string
    readonly choose: (value: A) => void
  }
) => {
  const { options } = props
  const titles = Array.isArray(options) ? options.map((value) => [value, value]) : Object.entries<string>(options)
  return (
    <select
      id={props.id}
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.choose(event.currentTarget.value as A)}
    >
      {props.children}
      {titles.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  )
}

export const Choice = <A extends string>(props: ControlProps<A> & Options<A> & { readonly class?: string }) => (
  <label class={props.class}>
    <Label {...props} />
    <Select options={props.options} value={props.value.value} choose={(value) => void (props.value.value = value)} />
  </label>
)

export const Alert = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem" role="alert">
      {displayText(text)}
    </p>
  )
