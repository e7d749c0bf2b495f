import { readdir } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

import type { RecordedAnswer, Recording, Sent } from './recording.ts'
import { answerBodyFor, answerHeadersFor, bodyFor, credentialFor, headersFor, keyFor } from './recording.ts'

export interface ProvidersSimulator {
  readonly recordings: readonly Recording[]
  /** Base addresses by provider id. */
  readonly baseUrls: Readonly<Record<string, string>>
  readonly received: {
    readonly id: string
    readonly method: string
    readonly path: string
    readonly headers: IncomingHttpHeaders
  }[]
  /** Replaces recorded answers, for every provider. */
  fault: Fault | undefined
  /** Changes the answers that are sent, for every provider. */
  change: ((answer: ServedAnswer, sent: Sent) => ServedAnswer) | undefined
  close(): Promise<void>
}

export type ServedAnswer = Pick<RecordedAnswer, 'status' | 'headers' | 'body'>

/** Chooses the fault of one call; undefined sends the recorded answer. */
export type Fault = (sent: Sent) => ServedAnswer | 'reset' | 'silence' | undefined

interface ProvidersSimulatorOptions {
  readonly port?: number
  /** The folder of the recordings. */
  readonly folder?: URL
}

/** Every provider except Cloudflare, from recordings: one server on loopback, one path prefix per provider. */
export async function startProvidersSimulator(options: ProvidersSimulatorOptions = {}): Promise<ProvidersSimulator> {
  const recordings = await readRecordings(options.folder)
  const server = createServer((request, response) => void serve(request, response))
  const baseUrls: Record<string, string> = {}

  const simulator: ProvidersSimulator = {
    recordings,
    baseUrls,
    received: [],
    fault: undefined,
    change: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const [, id = '', path = ''] = /^\/([a-z0-9-]+)(\/.*)$/.exec(request.url ?? '') ?? []
    const method = request.method ?? ''
    const sent = { id, method, path, headers: request.headers, body: await text(request) }
    simulator.received.push({ id, method, path, headers: request.headers })
    const chosen = simulator.fault?.(sent) ?? (await answerFor(recordings, sent))
    if (chosen === 'silence') return
    if (chosen === 'reset') return void request.socket.resetAndDestroy()
    const answer = simulator.change?.(chosen, sent) ?? chosen
    const isText = typeof answer.body === 'string'
    response.writeHead(answer.status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...answer.headers,
    })
    response.end(isText ? answer.body : JSON.stringify(answer.body))
  }

  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(options.port ?? 0, '127.0.0.1', done)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  for (const { id } of recordings) baseUrls[id] = `http://127.0.0.1:${port}/${id}`
  return simulator
}

/** Answers 418 unless the call is exactly a recorded one. No provider file knows 418, so the check has no verdict. */
async function answerFor(recordings: readonly Recording[], sent: Sent): Promise<ServedAnswer> {
  const ofProvider = recordings.filter(({ id }) => id === sent.id)
  const called = ofProvider.filter(({ call }) => call.method === sent.method && call.path === sent.path)
  for (const recording of called)
    for (const answer of recording.answers)
      if (await isFor(recording, answer, sent)) return servedTo(keyFor(recording, answer), answer)
  for (const { call, answers } of called)
    for (const later of ofProvider.filter(({ asks }) => asks))
      for (const answer of later.answers)
        if (await isFor({ ...later, call }, answer, sent))
          return servedTo(keyFor(later, answer), answers.find(({ name }) => name === 'valid') ?? misfit)
  return misfit
}

function servedTo(key: string, answer: ServedAnswer): ServedAnswer {
  const type = typeof answer.body === 'string' ? 'text/plain' : 'application/json'
  return {
    ...answer,
    headers: { 'content-type': type, ...answerHeadersFor(answer, key) },
    body: answerBodyFor(answer, key),
  }
}

const misfit = { status: 418, body: 'not the call that was recorded' }

async function isFor(recording: Recording, answer: RecordedAnswer, sent: Sent): Promise<boolean> {
  const { call } = recording
  const credential = credentialFor(recording, answer)
  const headers = Object.entries(headersFor(call, credential.apiKey))
  if (!headers.every(([name, value]) => sent.headers[name] === value)) return false
  if (call.body !== undefined && bodyFor(call, credential.apiKey) !== sent.body) return false
  return call.accepts === undefined || call.accepts(sent, credential)
}

let ours: Promise<readonly Recording[]> | undefined

/** The recordings in this folder, by id. Ours are read once, because a test may start hundreds of simulators. */
export function readRecordings(folder?: URL): Promise<readonly Recording[]> {
  if (folder) return importRecordings(folder)
  ours ??= importRecordings(new URL('../recordings/', import.meta.url))
  return ours
}

async function importRecordings(folder: URL): Promise<readonly Recording[]> {
  const files = (await readdir(folder)).filter((name) => /^[a-z0-9-]+\.(?:ts|js)$/.test(name)).sort()
  return Promise.all(
    files.map(async (file) => {
      const found: { recording: Recording } = await import(new URL(file, folder).href)
      return found.recording
    }),
  )
}
