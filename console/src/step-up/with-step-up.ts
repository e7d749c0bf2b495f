import { isProblem } from '@muster/client'
import { createStore } from '../store.ts'

/** A question for a proof that is open: the dialog answers it. */
export interface Asked {
  readonly done: () => void
  readonly cancel: () => void
}

/** Nothing while nothing is asked. */
export const openQuestion = createStore<Asked | undefined>(undefined)

/**
 * Runs what may need a fresh proof of who the user is: asks for it where the service says so, and then runs it again. A user who cancels
 * gets the refusal. Source: RFC 9470.
 */
export async function withStepUp<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isProblem(error, 'step_up_required') || !(await ask())) throw error
    return work()
  }
}

/** Whether the proof was given. */
function ask(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      openQuestion.become(undefined)
      resolve(isDone)
    }
    openQuestion.read()?.cancel()
    openQuestion.become({ done: () => end(true), cancel: () => end(false) })
  })
}
