import { createServer } from 'node:net'
import { request } from 'undici'
import type { Config } from '../../src/config.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

const { ok, fail } = resultsOf('port')

const timeoutMs = 2_000

/** Checks that the service can listen at the configured address. A running Muster there is not a fault. */
export async function checkPort({ host, port }: Config): Promise<CheckResult> {
  const code = await listenFault(host, port)
  const place = `${host} port ${port}`
  if (code === undefined) return ok(port === 0 ? `The service takes a free port of ${host}.` : `${place} is free.`)
  if (code === 'EADDRINUSE') {
    if (await isMuster(host, port)) return ok(`A running Muster answers at ${place}.`)
    return fail(`Another program uses ${place}: stop it, or set MUSTER_PORT.`)
  }
  if (code === 'EACCES') return fail(`This user cannot use ${place}: set MUSTER_PORT to a port above 1023.`)
  return fail(`${host} is not an address of this machine (${code}): set MUSTER_HOST.`)
}

async function listenFault(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  const fault = await new Promise<string | undefined>((done) => {
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'unknown'))
    server.listen(port, host, () => done(undefined))
  })
  if (fault === undefined) await new Promise((done) => server.close(done))
  return fault
}

/** By the title of its OpenAPI document, because any program may answer a health check. */
async function isMuster(host: string, port: number): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/openapi.json`
  try {
    const { body, statusCode } = await request(url, { signal: AbortSignal.timeout(timeoutMs) })
    const text = await body.text()
    return statusCode === 200 && text.includes('"title":"Muster"')
  } catch {
    return false
  }
}
