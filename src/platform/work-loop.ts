export interface Work {
  /** Does what is due. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when what the runs have started is over, where that outlasts them. */
  settled?(): Promise<void>
  close(): void | Promise<void>
}

const pauseMs = 1_000
/** Longer than another service usually takes; what it has not taken by then is sent by another node, or after the next start. */
const stopBudgetMs = 5_000

/** One run after the other, with a pause between them. */
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
      const tooLate = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, stopBudgetMs)
      })
      await Promise.race([running.then(() => work.settled?.()), tooLate])
      clearTimeout(timeout)
      await work.close()
    },
  }
}
