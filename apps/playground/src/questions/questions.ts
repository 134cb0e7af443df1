/** Problems with game servers, as users describe them, and their causes. */
import questionList from "./questions.json" with { type: "json" }

/**
 * A possible cause of a problem, with an example that the page can open: a list of datagrams, the id of an example in the view Examples, or
 * emulated servers in the format of links.
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
