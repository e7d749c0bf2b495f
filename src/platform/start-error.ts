/** Why Muster cannot start: one sentence for a person that says what to do. The caller prints `message` and exits 1. */
export class StartError extends Error {
  constructor(message: string, more: { readonly cause?: unknown } = {}) {
    super(message, more)
    this.name = 'StartError'
  }
}
