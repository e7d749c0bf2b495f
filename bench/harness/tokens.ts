import { decodeJwt } from 'jose'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/log.ts'
import { openBuiltInIssuer } from '../../src/open-parts.ts'
import type { BenchService } from './service.ts'

/** The key that every measured service is started with. */
const encryptionKey = Buffer.alloc(32, 7).toString('base64')

/**
 * Access tokens of `count` different accounts, each with a session of its own, signed as the service signs them; good for an hour.
 * Throws where fewer accounts than that are active.
 */
export async function tokensFor(service: BenchService, databaseUrl: string, count: number): Promise<readonly string[]> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    MUSTER_PUBLIC_URL: decodeJwt(service.token).iss,
    MUSTER_ENCRYPTION_KEY: encryptionKey,
    MUSTER_ACCESS_TOKEN_SECONDS: '3600',
  })
  const log = createLog('silent')
  const { url } = config.database
  const database = await openDatabase({ ...(url && { url }), dataDir: config.dataDir, mode: 'join', log })
  try {
    const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
    const accounts = await database.query<{ id: string }>(activeAccounts, [count])
    if (!issuer || accounts.length < count)
      throw new Error(`the population has only ${accounts.length} active accounts`)
    const tokens: string[] = []
    for (const { id } of accounts) tokens.push((await issuer.tokenFor(id)).access_token)
    return tokens
  } finally {
    await database.close()
  }
}

const activeAccounts = {
  name: 'bench_active_accounts',
  text: 'select id from account where disabled_at is null order by id limit $1',
}
