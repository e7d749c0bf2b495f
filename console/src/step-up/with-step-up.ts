import { isProblem } from '@muster/client'

/** A question for a proof that is open: the dialog answers it. */
export interface Asked {
  readonly done: () => void
  readonly cancel: () => void
}

const listeners = new Set<() => void>()
let asked: Asked | undefined

export function readAsked(): Asked | undefined {
  return asked
}

export function subscribeAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

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
      become(undefined)
      resolve(isDone)
    }
    asked?.cancel()
    become({ done: () => end(true), cancel: () => end(false) })
  })
}

function become(next: Asked | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}
