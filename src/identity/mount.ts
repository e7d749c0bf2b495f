import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'
import type { ReadLimit } from '../platform/rate-limit/read-limit.ts'
import type { Gate } from './authenticate.ts'
import type { Operation } from './operation.ts'

const noParameters = Type.Object({}, { additionalProperties: false })

/**
 * Mounts operations behind the gate: whoever asks for a caller gets one, or the request ends before its body is read.
 * What is promised and what is mounted must be the same, or the start fails.
 */
export function mount(
  app: FastifyInstance,
  behind: Behind,
  promised: readonly OperationContract[],
  operations: readonly Operation[],
): void {
  const unkept = new Set(promised)
  for (const { contract, handle, timeoutMs } of operations) {
    if (!unkept.delete(contract))
      throw new Error(`The operation ${contract.id} is not promised in contract/contracts.ts.`)
    app.route({
      method: contract.method,
      url: fastifyPath(contract.path),
      schema: {
        querystring: contract.query ?? noParameters,
        ...(contract.params && { params: contract.params }),
        ...(contract.body && !contract.rawBody && { body: contract.body }),
      },
      ...(contract.rawBody && { bodyLimit: contract.rawBody.bytesMax }),
      config: { operation: contract.id, takesBytes: contract.rawBody !== undefined },
      onRequest: guardOf(contract, behind),
      ...(timeoutMs !== undefined && { handlerTimeout: timeoutMs }),
      ...(contract.method !== 'GET' && { onSend: settling(behind.changes) }),
      handler: handle,
    })
  }
  for (const { id } of unkept) throw new Error(`The operation ${id} is promised and not mounted.`)
}

interface Behind {
  readonly gate: Gate
  readonly scraperGate: (rawHeaders: readonly string[]) => void
  readonly readLimit: ReadLimit
  /** Whoever was told that something changed reads it at the next call: the answer waits until this node knows of it as well. */
  readonly changes: { settled(): Promise<void> }
}

/** On a refusal as well, which may have changed something: a refresh token that comes a second time ends its session. */
function settling(changes: Behind['changes']) {
  return async (): Promise<void> => changes.settled()
}

/** The methods that are mounted at a path, `HEAD` beside `GET`; none where there is nothing. */
export function methodsOf(contracts: readonly OperationContract[]): (path: string) => readonly string[] {
  const routes = contracts.map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
  return (path) => {
    const methods = new Set<string>(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : [])]
  }
}

function guardOf({ access, method }: OperationContract, { gate, scraperGate, readLimit }: Behind) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (access === 'scraper') scraperGate(request.raw.rawHeaders)
    if (access !== 'caller') return
    request.caller = await gate.authenticate(request.raw.rawHeaders)
    if (method === 'GET') reply.headers(readLimit.take(request.caller))
  }
}

/** `/users/{userId}` → `/users/:userId`. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function pathPattern(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
