/**
 * How many files of the sources a request passes, and how many statements it makes: `npm run bench -- walks`. A file counts if one of its
 * functions runs, as V8 counts calls. Each request is sent often before, so that nothing is opened or loaded for the first time.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type Profiler, Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open.ts'
import { migrationsFolder } from '../src/platform/database/schema.ts'
import { createLog } from '../src/platform/log.ts'
import { Secret } from '../src/platform/secret.ts'
import { closeParts, openParts } from '../src/service/parts.ts'
import { createPasswordAccount } from '../src/sign-in/passwords/password-accounts.ts'

const credentials = { email: 'walker@example.com', password: 'seventeen small turtles' }

let statements: string[] = []
const query = pg.Client.prototype.query
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  const [first] = given
  const name = typeof first === 'object' && first !== null && 'name' in first ? String(first.name) : String(first)
  if (!/^(begin|commit|webhooks_due)/i.test(name)) statements.push(name)
  return Reflect.apply(query, this, given)
} as typeof query

const dataDir = mkdtempSync(join(tmpdir(), 'muster-walks-'))
const provider = createServer((_request, response) => {
  const message = { code: 10000, message: 'This API Token is valid and active', type: null }
  const result = { id: 'ed17574386854bf78a67040be0a770b0', status: 'active' }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, errors: [], messages: [message], result }))
}).listen(0, '127.0.0.1')
await once(provider, 'listening')
const address = provider.address()
const providerUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
const log = createLog('silent')
const database = await openDatabase({ dataDir, mode: 'own', log, preparedStatements: true })
await migrate(database, migrationsFolder(), log)
const many = '1000000'
const config = readConfig({
  MUSTER_DATA_DIR: dataDir,
  MUSTER_SIGN_INS_PER_MINUTE: many,
  MUSTER_KEY_CHECKS_PER_MINUTE: many,
  MUSTER_PROVIDER_CLOUDFLARE_URL: providerUrl,
})
const parts = await openParts(config, database, { log, isDraining: () => false })
const app = buildApp(parts)
await app.ready()
await createPasswordAccount(database, {
  email: credentials.email,
  password: new Secret(credentials.password),
  roleId: 'admin',
})

const signIn: InjectOptions = { method: 'POST', url: '/auth/sign-in', payload: credentials }
const { access_token: token } = (await app.inject(signIn)).json<{ access_token: string }>()
const headers = { authorization: `Bearer ${token}` }
let keys = 0
const walks: Readonly<Record<string, () => InjectOptions>> = {
  'user/data': () => ({ url: '/api/v1/user/data', headers }),
  'users/fetch, whole list': () => ({ url: '/api/v1/admin/users/fetch', headers }),
  'users/fetch, one page': () => ({ url: '/api/v1/admin/users/fetch?limit=10', headers }),
  'keys/validate': () => {
    keys += 1
    const apiKey = `key-of-a-walk-${String(keys).padStart(27, '0')}`
    return { method: 'POST', url: '/api/v1/provider/keys/validate', headers, payload: { apiKey, keyType: 'api_token' } }
  },
  'sign-in': () => signIn,
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
for (const [name, requestOf] of Object.entries(walks)) {
  for (let n = 0; n < 5; n += 1) await app.inject(requestOf())
  await setTimeout(300) // what the last request left in the background is over
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  statements = []
  const { statusCode } = await app.inject(requestOf())
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = filesRun(result)
  console.log(`${name}: ${statusCode}, ${files.length} files, ${statements.length} statements`)
  if (process.argv.includes('--list')) console.log(`  ${files.join('\n  ')}\n  ${statements.join(', ')}`)
}
session.disconnect()
await app.close()
await closeParts(parts)
await database.close()
provider.close()
rmSync(dataDir, { recursive: true, force: true })

function filesRun(scripts: readonly Profiler.ScriptCoverage[]): readonly string[] {
  const own = /\/(src|key-check|embedded)\/(?!.*node_modules)(.*\.ts)$/
  return scripts.flatMap(({ url, functions }) => {
    const [, folder, path] = own.exec(url) ?? []
    const isRun = functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
    return folder !== undefined && isRun ? [`${folder}/${path}`] : []
  })
}
