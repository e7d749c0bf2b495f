import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { Agent } from 'undici'
import { createCallers } from './callers.ts'
import { countsOf, outcomeOf } from './client.ts'
import type { Finding, Section, Stage } from './stage.ts'

const atOnce = 100
/** Sent first, because the first calls of a process compile its code. */
const warmUp = 100
const manyCallers = 50
const memoryMibMax = 350
const busyMsMax = 100

/** Bodies of 4 MiB, created by `body-senders.ts`. */
const kinds = [
  'lists',
  'objects',
  'lists and objects by turns',
  'lists after a valid start',
  'brackets in a string',
  'two million elements',
  'gzip',
  'batches of 1,000 keys',
] as const

/** Node itself needs 13 ms for 64 KiB of these before the service can reject them, so only the memory is promised. */
const memoryOnly = 'chunks of one byte'

interface Attack {
  readonly databaseUrl: string
  readonly kind: string
  readonly senders: readonly string[]
  readonly reader: string
}

/** Each kind is sent to a new node, so that memory is measured from the start. */
export const hostileBodies: Section = {
  name: 'hostile-bodies',
  secondsMax: 300,
  async run(stage) {
    const databaseUrl = await (await stage.postgres()).newDatabase()
    await (await stage.node({ databaseUrl })).stop() // runs the migrations
    const { admin, users } = await createCallers(databaseUrl, manyCallers)
    const reader = admin.token
    const many = users.map(({ token }) => token)
    const findings: Finding[] = []
    for (const kind of [...kinds, memoryOnly])
      findings.push(await attack(stage, { databaseUrl, kind, senders: many.slice(0, 1), reader }))
    for (const kind of ['lists', 'batches of 1,000 keys'])
      findings.push(await attack(stage, { databaseUrl, kind, senders: many, reader }))
    return findings
  },
}

async function attack(stage: Stage, { databaseUrl, kind, senders, reader }: Attack): Promise<Finding> {
  const node = await stage.node({ databaseUrl })
  const send = async (count: number): Promise<() => Promise<readonly string[]>> => {
    const process = fork(new URL('./body-senders.ts', import.meta.url), [node.url, senders.join(), kind, String(count)])
    stage.onEnd(() => void process.kill())
    await once(process, 'message')
    return async () => {
      process.send('start')
      const [answers] = await once(process, 'message')
      return answers
    }
  }
  const before = memoryMib(node.pid, 'VmRSS')
  const probes = startProbes(node, reader)
  await (await send(warmUp))()
  const start = await send(atOnce)
  await setTimeout(1_000)
  probes.reset()
  const answers = await start()
  const { busyMs, slowestMs } = await probes.stop()
  const highest = memoryMib(node.pid, 'VmHWM')
  await node.kill()
  const isFast = busyMs <= busyMsMax || kind === memoryOnly
  return {
    done: `${atOnce} parallel bodies of 4 MiB from ${senders.length === 1 ? 'one caller' : `${senders.length} callers`}: ${kind}`,
    promised: `at most ${memoryMibMax} MiB of memory${kind === memoryOnly ? '' : `; at most ${busyMsMax} ms of other work before an answer to others`}`,
    seen: `${countsOf(answers)}; ${before} MiB before, ${highest} MiB at most; ${busyMs.toFixed(0)} ms of work before an answer, ${slowestMs.toFixed(0)} ms until the slowest came`,
    isKept: highest <= memoryMibMax && isFast,
  }
}

/** Requests `/livez` and another user's data all the time. */
function startProbes({ url, pid }: { readonly url: string; readonly pid: number }, token: string) {
  const dispatcher = new Agent()
  let slowest = { busyMs: 0, slowestMs: 0 }
  let isRunning = true
  const probe = async (path: string) => {
    while (isRunning) {
      const [from, busyFrom] = [performance.now(), busyMsOf(pid)]
      const outcome = await outcomeOf(`${url}${path}`, { dispatcher, token })
      if (outcome !== '200') throw new Error(`${path} was answered ${outcome}`)
      slowest = {
        busyMs: Math.max(slowest.busyMs, busyMsOf(pid) - busyFrom),
        slowestMs: Math.max(slowest.slowestMs, performance.now() - from),
      }
      await setTimeout(5)
    }
  }
  const running = Promise.all(['/livez', '/api/v1/user/data'].map(probe))
  return {
    reset() {
      slowest = { busyMs: 0, slowestMs: 0 }
    },
    async stop() {
      isRunning = false
      await running
      await dispatcher.destroy()
      return slowest
    },
  }
}

/** The running time of a process's main thread (proc(5) schedstat). Unlike the time of an answer, it is the same on a busy machine. */
function busyMsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
}

function memoryMib(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const kib = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1_024)
}
