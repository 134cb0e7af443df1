/** Problems with game servers, as users describe them, and their causes. */
import questionList from "./questions.json" with { type: "json" }

/**
 * A possible cause of a problem. For each cause, the page can open an example of an exchange. The example is a list of datagrams
 * (`datagrams`), an entry of the view Examples (`example`), or a text that describes emulated servers in the format of links (`servers`).
 */
export interface Cause {
  readonly title: string
  readonly datagrams?: ReadonlyArray<{
    readonly timeMs: number
    readonly from: string
    readonly to: string
    readonly hex: string
  }>
  readonly example?: string
  readonly servers?: string
}

interface Question {
  readonly question: string
  readonly causes: ReadonlyArray<Cause>
}

export const questions: ReadonlyArray<Question> = questionList
