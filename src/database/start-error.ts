/** A reason not to start, told to a person in one sentence that says what to do. The caller prints `message` and exits 1. */
export class StartError extends Error {
  constructor(message: string, more: { readonly cause?: unknown } = {}) {
    super(message, more)
    this.name = 'StartError'
  }
}
