/** Muster cannot start. `message` is one sentence that says why and what to do. The caller prints it and exits with 1. */
export class StartError extends Error {
  constructor(message: string, more: { readonly cause?: unknown } = {}) {
    super(message, more)
    this.name = 'StartError'
  }
}
