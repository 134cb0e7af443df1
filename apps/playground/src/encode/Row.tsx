/** A row of the form. */
import type { ComponentChild } from "preact"
import { Prose } from "@sourcewire/ui/widgets"
import { encoded, inspection } from "./draft.ts"

/** The encoder's error about the field at `path`. `undefined` if the encoder reports no error about this field. */
export const complaintAbout = (path: string): string | undefined => {
  const result = encoded.value
  if (result._tag === "Success") return undefined
  const { field, message } = result.failure
  if (field !== path && field !== `${path}Hex` && field !== `${path}Code`) return undefined
  return message.slice(message.indexOf(field) + field.length).trim()
}

interface RowProps {
  readonly path: string
  readonly element: { readonly name: string; readonly kind: string; readonly doc: string }
  readonly lead?: ComponentChild
  readonly children?: ComponentChild
}

/**
 * A row with the name of a field, its value, and its meaning. If the encoder rejects the value, the row shows the error instead of the
 * meaning.
 */
export const Row = ({ children, element, lead, path }: RowProps) => {
  const complaint = children === undefined ? undefined : complaintAbout(path)
  const chosen = inspection.chosen.value === path
  return (
    <div
      class={`form-row${chosen ? " chosen" : ""}${complaint === undefined ? "" : " invalid"}`}
      data-path={path}
      onFocusIn={() => void (inspection.chosen.value = path)}
    >
      <span class="form-name">
        {lead} <label for={path}>{element.name}</label> <span class="chip">{element.kind}</span>
      </span>
      <span class="form-value">{children}</span>
      <span class="form-doc">
        <span class="quiet">
          <Prose text={element.doc} />
        </span>
        {/* The error replaces the meaning of the field, so that the layout does not change. */}
        {complaint === undefined ? null : (
          <span class="wrong" role="alert" title={complaint}>
            {path} {complaint}.
          </span>
        )}
      </span>
    </div>
  )
}
