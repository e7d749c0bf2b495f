// Goes through a start as far as it comes without a database, so that V8 compiles what a start needs. Only the build runs it.
import { randomBytes } from 'node:crypto'
import { createProgram } from '../dist/cli/program.js'
import { buildApp } from '../dist/src/app.js'
import { readConfig } from '../dist/src/config.js'
import { databaseLimits } from '../dist/src/database/limits.js'
import { pooledDatabase } from '../dist/src/database/pool.js'
import { createLog } from '../dist/src/log.js'
import { closeParts, openParts } from '../dist/src/open-parts.js'
import { Secret } from '../dist/src/secret.js'
import * as service from '../dist/src/serve.js'

export async function rehearse() {
  createProgram()
  const log = createLog('silent')
  const config = readConfig({ MUSTER_BUILT_IN_ISSUER: 'false' })
  const nowhere = { url: new Secret('postgres://nobody@127.0.0.1:1/nowhere') }
  const real = pooledDatabase({ link: nowhere, limits: databaseLimits, preparedStatements: true, log })
  await real.ping().catch(() => undefined)
  const database = { ...real, query: async () => [{ key: randomBytes(32) }] }
  const parts = await openParts(config, database, { log, isDraining: () => false })
  const app = buildApp(parts)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address()
  await fetch(`http://127.0.0.1:${port}/livez`)
  await app.close()
  await closeParts(parts)
  await real.close()
  return service
}
