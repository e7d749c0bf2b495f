import cluster, { type Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../start-error.ts'
import { type Broker, createBroker, sendTo } from './broker.ts'
import { isMessage, type Message } from './messages.ts'

/** The workers of this node, as the primary sees them. */
export interface WorkerPool {
  /** Resolves with the address at which all of them listen, rejects with why one cannot. Never settles once the pool is stopped. */
  readonly ready: Promise<string>
  /** Lets every worker finish its requests in flight, and waits until all have exited. */
  stop(): Promise<void>
}

/** A worker that ran for this long is replaced at once; one that exits earlier, after a growing delay. */
const stableAfterMs = 10_000
const restartDelayMinMs = 100
const restartDelayMaxMs = 30_000

/**
 * Starts this program `count` times and keeps that many running. A worker of the first generation that cannot start ends the start
 * (`StartError`); a replacement that cannot is retried, because the others still answer.
 */
export function startWorkerPool({ count, log }: { count: number; log: Logger }): WorkerPool {
  const workers = new Set<Worker>()
  const pool: Pool = { workers, broker: createBroker(workers), stopping: new AbortController(), log }
  const ready = Promise.all(Array.from({ length: count }, () => startWorker(pool)))
  return { ready: ready.then(([address = '']) => address), stop: () => stopWorkers(pool) }
}

interface Pool {
  readonly workers: Set<Worker>
  readonly broker: Broker
  readonly stopping: AbortController
  readonly log: Logger
}

/** Resolves with the address at which the worker listens, rejects with why it does not. */
function startWorker(pool: Pool): Promise<string> {
  const { workers, broker, stopping, log } = pool
  const worker = cluster.fork()
  const startedAtMs = performance.now()
  workers.add(worker)
  worker.once('online', () => broker.replayTo(worker))
  worker.on('error', (err) => log.warn({ err, worker: worker.id }, 'cannot send to a worker'))
  return new Promise((resolve, reject) => {
    let isReady = false
    let failure: Error | undefined
    worker.on('message', (message: unknown) => {
      if (!isMessage(message)) return
      if (message.muster === 'failed') failure = failureOf(message)
      if (message.muster === 'peer') broker.forward(worker, message)
      if (message.muster !== 'ready') return
      isReady = true
      resolve(message.address)
    })
    worker.once('exit', (code: number | null, signal: string | null) => {
      workers.delete(worker)
      if (stopping.signal.aborted) return
      if (!isReady) return reject(failure ?? new Error(`A worker exited before it was ready (${signal ?? code}).`))
      log.error({ worker: worker.id, code, signal }, 'worker exited: starting a replacement')
      void replaceWorker(pool, performance.now() - startedAtMs > stableAfterMs ? 0 : restartDelayMinMs)
    })
  })
}

async function replaceWorker(pool: Pool, firstDelayMs: number): Promise<void> {
  const { signal } = pool.stopping
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2 + restartDelayMinMs, restartDelayMaxMs)) {
    await setTimeout(delayMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      await startWorker(pool)
      return
    } catch (err) {
      if (!signal.aborted) pool.log.error({ err, delayMs }, 'worker replacement failed to start')
    }
  }
}

async function stopWorkers({ workers, stopping }: Pool): Promise<void> {
  stopping.abort()
  const exits = [...workers].map((worker) => new Promise<void>((done) => worker.once('exit', () => done())))
  for (const worker of workers) sendTo(worker, { muster: 'stop' })
  await Promise.all(exits)
}

function failureOf({ reason, isExplained }: Extract<Message, { muster: 'failed' }>): Error {
  if (isExplained) return new StartError(reason)
  const error = new Error('A worker could not start.')
  error.stack = reason
  return error
}
