import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/platform/database/open.ts'
import { Secret } from '../../src/platform/secret.ts'
import { openBuiltInIssuer } from '../../src/service/encryption.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { environmentOf } from './node.ts'

/** The password of every user. */
export const passwordOfCallers = new Secret('correct horse battery staple')

export interface Caller {
  readonly id: string
  readonly token: string
}

export interface Callers {
  readonly admin: Caller
  readonly users: readonly Caller[]
}

/** New users in a migrated database, with a token each: one administrator and that many ordinary users. */
export async function createCallers(databaseUrl: string, count: number): Promise<Callers> {
  const config = readConfig(environmentOf({ databaseUrl }))
  const log = pino({ level: 'silent' })
  const database = await openDatabase({
    ...(config.database.url && { url: config.database.url }),
    dataDir: config.dataDir,
    mode: 'join',
    limits: { connectionsMax: 2 },
    preparedStatements: true,
    log,
  })
  try {
    const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
    const create = async (roleId: string, name: string): Promise<Caller> => {
      const account = { email: `${name}@example.com`, password: passwordOfCallers, roleId }
      const id = await createPasswordAccount(database, account)
      if (id === undefined || issuer === undefined) throw new Error(`no account for ${name}`)
      return { id, token: (await issuer.tokenFor(id)).access_token }
    }
    const admin = await create('admin', 'admin')
    const users: Caller[] = []
    for (let number = 0; number < count; number += 1) users.push(await create('user', `user${number}`))
    return { admin, users }
  } finally {
    await database.close()
  }
}
