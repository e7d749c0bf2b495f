import cluster, { type Worker } from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartError } from '../database/start-error.ts'
import { isMessage, type Message } from './messages.ts'

/** The workers of this node, seen from the primary. */
export interface Crew {
  /** Resolves with the address at which all of them listen, rejects with why one cannot. Never settles once they are stopped. */
  readonly ready: Promise<string>
  /** Lets every worker finish what is in flight, and waits for their ends. */
  stop(): Promise<void>
}

/** One that lived for so long gets its successor at once; others are waited for longer and longer. */
const steadyMs = 10_000
const restartDelayMinMs = 100
const restartDelayMaxMs = 30_000

/**
 * Starts so many processes of this same program and keeps their number. A first one that cannot start is a reason not to start at all
 * (`StartError`); a successor that cannot is tried again and again, because the others still answer.
 */
export function startCrew({ count, log }: { count: number; log: Logger }): Crew {
  const workers = new Set<Worker>()
  const state: State = { workers, relay: createRelay(workers), stopping: new AbortController(), log }
  const ready = Promise.all(Array.from({ length: count }, () => begin(state)))
  return { ready: ready.then(([address = '']) => address), stop: () => stop(state) }
}

interface State {
  readonly workers: Set<Worker>
  readonly relay: ReturnType<typeof createRelay>
  readonly stopping: AbortController
  readonly log: Logger
}

/** One more worker. Resolves with the address at which it listens, rejects with why it does not. */
function begin(state: State): Promise<string> {
  const { workers, relay, stopping, log } = state
  const worker = cluster.fork()
  const begunAtMs = performance.now()
  workers.add(worker)
  relay.welcome(worker)
  worker.on('error', (err) => log.warn({ err, worker: worker.id }, 'a worker could not be reached'))
  return new Promise((resolve, reject) => {
    let isReady = false
    let failure: Error | undefined
    worker.on('message', (message: unknown) => {
      if (!isMessage(message)) return
      if (message.muster === 'failed') failure = failureOf(message)
      else if (message.muster === 'ready') {
        isReady = true
        resolve(message.address)
      } else relay.pass(worker, message)
    })
    worker.once('exit', (code: number | null, signal: string | null) => {
      workers.delete(worker)
      if (stopping.signal.aborted) return
      if (!isReady) return reject(failure ?? new Error(`A worker ended before it was ready (${signal ?? code}).`))
      log.error({ worker: worker.id, code, signal }, 'a worker ended: another takes its place')
      void replace(state, performance.now() - begunAtMs > steadyMs ? 0 : restartDelayMinMs)
    })
  })
}

async function replace(state: State, firstDelayMs: number): Promise<void> {
  const { signal } = state.stopping
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2 + restartDelayMinMs, restartDelayMaxMs)) {
    await setTimeout(delayMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      await begin(state)
      return
    } catch (err) {
      if (!signal.aborted) state.log.error({ err, delayMs }, 'a worker could not start')
    }
  }
}

async function stop({ workers, stopping }: State): Promise<void> {
  stopping.abort()
  const ends = [...workers].map((worker) => new Promise<void>((done) => worker.once('exit', () => done())))
  for (const worker of workers) send(worker, { muster: 'stop' })
  await Promise.all(ends)
}

function failureOf({ sentence, isExplained }: Extract<Message, { muster: 'failed' }>): Error {
  if (isExplained) return new StartError(sentence)
  const error = new Error('A worker could not start.')
  error.stack = sentence
  return error
}

/** Hands on what workers tell each other, and keeps what a worker that starts later has to know. */
function createRelay(workers: ReadonlySet<Worker>) {
  const quiets = new Map<string, Extract<Message, { muster: 'quiet' }>>()
  return {
    pass(from: Worker, message: Message): void {
      if (message.muster === 'quiet') quiets.set(message.provider, message)
      const to = 'to' in message ? message.to : undefined
      for (const worker of workers) if (worker !== from && (to ?? worker.id) === worker.id) send(worker, message)
    },
    welcome(worker: Worker): void {
      worker.once('online', () => {
        for (const quiet of quiets.values()) if (quiet.untilMs > Date.now()) send(worker, quiet)
      })
    },
  }
}

/** One that ends at this moment hears nothing any more, which is all the same. */
function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, undefined, () => undefined)
}
