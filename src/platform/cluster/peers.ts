import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { isMessage, type Message } from './messages.ts'

/** The other workers of this node, and the primary between them, seen from one worker. */
export interface Siblings {
  /** Workers of this node, this one included. */
  readonly count: number
  /** Returns at once; whoever cannot be reached is not told. */
  tell(message: Message): void
  hear(listener: (message: Message) => void): void
  /**
   * Lets siblings count what is in the registry. What it answers reads the metrics of all workers as one text; one that does not
   * answer in time is left out.
   */
  gatherMetrics(registry: Registry): () => Promise<string>
  /** Tells the primary why this worker cannot start, and ends the process. */
  giveUp(sentence: string, isExplained: boolean): void
}

/** Counting takes milliseconds; a sibling that is just being replaced never answers. */
const gatherTimeoutMs = 1_000

export function joinSiblings(count: number): Siblings {
  const listeners: ((message: Message) => void)[] = []
  // Until this worker is ready there are rooms that do not listen yet; each is told what came before it did.
  let early: Message[] | undefined = []
  // The primary is gone, and with it whoever accepts connections.
  cluster.worker?.on('error', () => process.exit(1))
  process.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    early?.push(message)
    for (const listener of listeners) listener(message)
  })

  function hear(listener: (message: Message) => void): void {
    listeners.push(listener)
    for (const message of early ?? []) listener(message)
  }

  function tell(message: Message): void {
    if (message.muster === 'ready') early = undefined
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }

  return {
    count,
    tell,
    hear,
    gatherMetrics: createGathering({ count, tell, hear }),
    giveUp(sentence, isExplained) {
      const message: Message = { muster: 'failed', sentence, isExplained }
      process.send?.(message, undefined, undefined, () => process.exit(1))
    },
  }
}

function createGathering({ count, tell, hear }: Pick<Siblings, 'count' | 'tell' | 'hear'>) {
  const questions = new Map<number, (metrics: readonly object[]) => void>()
  const self = cluster.worker?.id ?? 0
  let asked = 0
  let own: Registry | undefined
  hear((message) => {
    if (message.muster === 'counted') questions.get(message.question)?.(message.metrics)
    if (message.muster !== 'count') return
    const { question, from } = message
    void own?.getMetricsAsJSON().then((metrics) => tell({ muster: 'counted', question, to: from, metrics }))
  })

  return (registry: Registry) => {
    own = registry
    return async () => {
      const [here, others] = await Promise.all([registry.getMetricsAsJSON(), askAll()])
      return AggregatorRegistry.aggregate([here, ...others]).metrics()
    }
  }

  function askAll(): Promise<readonly (readonly object[])[]> {
    asked += 1
    const question = asked
    return new Promise((done) => {
      const answers: (readonly object[])[] = []
      const end = () => {
        clearTimeout(timer)
        questions.delete(question)
        done(answers)
      }
      const timer = setTimeout(end, gatherTimeoutMs)
      questions.set(question, (metrics) => {
        if (answers.push(metrics) === count - 1) end()
      })
      tell({ muster: 'count', question, from: self })
    })
  }
}
