import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { request } from 'undici'
import { spawnNode } from '../harness/processes.ts'

/** A product to compare Muster with. */
export interface Peer {
  readonly name: string
  /** From the npm registry, exact versions; the first is the peer itself. */
  readonly packages: Readonly<Record<string, string>>
  /** Starts it on an empty database and signs `users` users up, each with a token. */
  start(place: PeerPlace): Promise<RunningPeer>
}

export interface PeerPlace {
  readonly folder: string
  readonly databaseUrl: string
  readonly port: number
  readonly users: number
}

export interface RunningPeer {
  readonly pid: number
  readonly questions: readonly PeerQuestion[]
  stop(): Promise<void>
}

export interface PeerQuestion {
  readonly title: string
  readonly url: string
  /** The headers of each caller. */
  readonly callers: readonly Readonly<Record<string, string>>[]
  /** Text that the answer to the first caller must contain, because a 200 with `null` is no answer. */
  readonly proof: string
  /** Fewer if answers take so long that more connections would answer in waves longer than a slice. */
  readonly connections?: number
  readonly musterAsks: 'user data' | 'admin page'
  /** The intended ratio of requests per second; absent if there is no target. */
  readonly target?: number
}

interface Program {
  readonly folder: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Runs on the measured core, with a minimal environment. */
export function run({ folder, args, env }: Program): ChildProcess {
  const log = openSync(join(folder, 'server.log'), 'w')
  const child = spawnNode('measured', args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, NODE_ENV: 'production', ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return child
}

const startTimeoutMs = 120_000

/** Resolves when the address answers with a status below 500. */
export async function listening(child: ChildProcess, url: string, folder: string): Promise<void> {
  const until = Date.now() + startTimeoutMs
  while (child.exitCode === null && Date.now() < until) {
    const answer = await request(url).catch(() => undefined)
    await answer?.body.dump()
    if (answer && answer.statusCode < 500) return
    await setTimeout(100)
  }
  child.kill('SIGKILL')
  const lines = readFileSync(join(folder, 'server.log'), 'utf8').trim().split('\n')
  const words = lines.find((line) => /error/i.test(line)) ?? lines.at(-1)
  throw new Error(`it did not start: ${words?.slice(0, 300)}`)
}

export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Stops a server; kills it if it does not exit in time. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  const timer = globalThis.setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended(child)
  clearTimeout(timer)
}

/** Posts JSON and returns the JSON and headers of a 2xx; throws for any other status. */
export async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Posted> {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${text.slice(0, 300)}`)
  const json: unknown = text === '' ? undefined : JSON.parse(text)
  return { json, header: (name) => String(answer.headers[name] ?? '') }
}

interface Posted {
  readonly json: unknown
  header(name: string): string
}

/** The text at a path of member names. Throws if there is none. */
export function textAt(value: unknown, ...names: readonly string[]): string {
  let found: unknown = value
  for (const name of names) found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined
  if (typeof found !== 'string') throw new Error(`no text at ${names.join('.')} of an answer`)
  return found
}

/** Calls `make` for each number from 1, eight in parallel, and keeps the order. */
export async function each<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      made[index] = await make(index + 1)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return made
}
