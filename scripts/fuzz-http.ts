/**
 * Sends requests of every kind, well-formed and malformed, without a token, to the shipped program on a separate
 * PostgreSQL.
 * Run: `node scripts/fuzz-http.ts [--requests 20000] [--seed N]`.
 * The same seed sends the same requests. Exits with 1 for a 5xx, a failure that is not a problem, a connection that the
 * service does not close, a log line above info, an exit of the process, or a valid request that is not answered
 * afterwards.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzzHttp } from '../test/support/http-fuzz.ts'
import { openStage } from './faults/stage.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
})
console.log(`seed ${values.seed}`)
const stage = await openStage()
try {
  const env = {
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    // Some requests look like those of a proxy. The service warns about an untrusted one, and about a missing administrator.
    MUSTER_TRUSTED_PROXIES: '127.0.0.1',
    MUSTER_FIRST_ADMIN_EMAIL: 'admin@example.com',
    MUSTER_FIRST_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
  }
  const node = await stage.node({ databaseUrl: await (await stage.postgres()).newDatabase(), env })
  const startedAt = performance.now()
  const options = { seed: Number(values.seed), requests: Number(values.requests) }
  const { statuses, faults } = await fuzzHttp(node.url, options)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  const errors = node.lines.filter(({ level = 0 }) => level >= 40)
  const good = await Promise.all(['/livez', '/readyz', '/openapi.json'].map((path) => statusOf(`${node.url}${path}`)))
  const isWell = node.isRunning() && good.every((status) => status === 200)
  for (const { sent, received } of faults.slice(0, 20)) console.log(JSON.stringify({ sent, received }))
  for (const line of errors.slice(0, 20)) console.log(JSON.stringify(line))
  console.log(statuses)
  console.log(
    `${values.requests} requests in ${seconds} s: ${faults.length} faults, ${errors.length} errors in the log`,
  )
  console.log(isWell ? 'valid requests are answered' : `valid requests are not answered: ${good}`)
  process.exitCode = faults.length === 0 && errors.length === 0 && isWell ? 0 : 1
} finally {
  await stage.close()
}

function statusOf(url: string): Promise<number | string> {
  return fetch(url).then(
    ({ status }) => status,
    (error: unknown) => String(error),
  )
}
