import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { type Operation, operation } from '../identity/operation.ts'
import type { KnownUser, ServiceCaller } from '../platform/http/caller.ts'
import { compileValidator } from '../platform/http/input.ts'
import { problemAnswer, problemFrom } from '../platform/http/problem-answer.ts'
import { callerGone, streamResponse } from '../platform/http/transfer.ts'
import { type InputFault, Problem, refuse } from '../platform/problems.ts'
import { providerKeysValidateBatchContract } from './batch-contract.ts'
import { KeyCheck } from './contract.ts'
import { countCheck, type KeyCheckParts, verdictOn } from './route.ts'

/** Parallel checks within one batch. */
const atOnce = 8
/** After this many keys, yield to other requests: a key that needs no call to a provider never leaves the event loop. */
const turnKeys = 32
/** Parallel batches on this node. */
const batchesMax = 4
/** How long the client may stop reading. */
const stallMs = 30_000
/** How long a batch may take: a thousand checks, eight in parallel, each up to its deadline. */
const wholeMs = 900_000

interface BatchParts extends KeyCheckParts {
  readonly isDraining: () => boolean
}

interface Batch {
  readonly keys: readonly unknown[]
  readonly caller: KnownUser | ServiceCaller
  readonly query: { readonly details?: boolean }
  readonly request: FastifyRequest
  readonly signal: AbortSignal
}

/** Single checks, one per line: an invalid key does not fail the others. */
export function providerKeysValidateBatch(parts: BatchParts): Operation<typeof providerKeysValidateBatchContract> {
  let running = 0
  const handle = operation(providerKeysValidateBatchContract, async ({ caller, query, body, request, reply }) => {
    if (running >= batchesMax) refuse('overloaded', { detail: 'Too many batches are running.', retryAfterSeconds: 10 })
    running += 1
    reply.raw.once('close', () => {
      running -= 1
    })
    reply.type('application/x-ndjson; charset=utf-8')
    const lines = linesOf(parts, { keys: body.keys, caller, query, request, signal: callerGone(reply) })
    return streamResponse(lines, { request, reply, stallMs })
  })
  return { ...handle, timeoutMs: wholeMs }
}

/** Yields lines in the order of the keys. Starts no more checks while the client stops reading. */
async function* linesOf(parts: BatchParts, batch: Batch): AsyncGenerator<string, void, void> {
  const started: Promise<string>[] = []
  for (const index of batch.keys.keys()) {
    if (index % turnKeys === turnKeys - 1) await setImmediate()
    if (started.length === atOnce) yield (await started.shift()) ?? ''
    started.push(lineOf(parts, batch, index))
  }
  for (const line of started) yield await line
}

/** Never rejects. */
async function lineOf(parts: BatchParts, batch: Batch, index: number): Promise<string> {
  try {
    return `${JSON.stringify({ index, ...(await check(parts, batch, index)) })}\n`
  } catch (error) {
    const problem = within(problemFrom(error), index)
    const { request, signal } = batch
    if (problem.code === 'internal_error' && !signal.aborted) request.failure ??= problem
    const { retryAfterSeconds } = problem.more
    const wait =
      retryAfterSeconds === undefined ? '' : `,"retryAfterSeconds":${Math.max(1, Math.ceil(retryAfterSeconds))}`
    return `{"index":${index},"problem":${problemAnswer(problem, request.id).body}${wait}}\n`
  }
}

async function check(parts: BatchParts, batch: Batch, index: number) {
  // A node that shuts down ends its batches after a complete line.
  if (parts.isDraining()) refuse('shutting_down')
  const { caller, query, request, signal } = batch
  const body = readItem(batch.keys[index])
  await countCheck(parts, caller)
  return verdictOn(parts, { caller, body, request, ...query, isBulk: true, signal })
}

const validate = compileValidator({ schema: KeyCheck, httpPart: 'body' })

function readItem(item: unknown): KeyCheck {
  const { value, error } = validate(item)
  if (error !== undefined) throw error
  // The trust boundary: the body matches the schema of this type.
  return value as KeyCheck
}

/** Makes pointers start at the body of the request instead of the key. */
function within(problem: Problem, index: number): Problem {
  const { errors, ...more } = problem.more
  if (errors === undefined) return problem
  const at = (fault: InputFault) =>
    'pointer' in fault ? { ...fault, pointer: `/keys/${index}${fault.pointer}` } : fault
  return new Problem(problem.code, { ...more, errors: errors.map(at) })
}
