interface Work {
  /** Does all work that is due now. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when the work that `run` has started in the background is finished. */
  settled?(): Promise<void>
  close(): void | Promise<void>
}

const pauseMs = 1_000
/** Maximum wait at shutdown. Another node, or this one after its restart, sends what remains. */
const stopTimeoutMs = 5_000

/** Calls `run` repeatedly, with a pause of `pauseMs` after each run. */
export function startWorkLoop(work: Work, onFailure: (error: unknown) => void): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running = run()

  async function run(): Promise<void> {
    await work.run(stopping.signal).catch(onFailure)
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = run()
    }, pauseMs)
  }

  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      let timeout: NodeJS.Timeout | undefined
      const timedOut = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, stopTimeoutMs)
      })
      await Promise.race([running.then(() => work.settled?.()), timedOut])
      clearTimeout(timeout)
      await work.close()
    },
  }
}
