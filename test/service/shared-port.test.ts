import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { startService } from '../support/service.ts'
import { connect, type ServiceProcess, startProcessOfService } from '../support/service-process.ts'

test.runIf(process.platform === 'linux')(
  'two processes share a port, and one serves alone when the other is killed under load',
  async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const issuer = {
      MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      MUSTER_PUBLIC_URL: 'http://localhost:4600',
    }
    const another = await startService({ on: fresh, env: issuer })
    const { token } = await another.person()
    await another.stop()
    const env = { DATABASE_URL: fresh.url, MUSTER_REUSE_PORT: 'true', ...issuer }
    const killed = await startProcessOfService(env)
    const survivor = await startProcessOfService({ ...env, MUSTER_PORT: new URL(killed.url).port })
    const read = async () =>
      (await connect(killed.url).get('/api/v1/user/data', { authorization: `Bearer ${token}` })).status
    const hasServed = ({ lines }: ServiceProcess) => lines.some(({ requestId }) => requestId !== undefined)
    while (!hasServed(killed) || !hasServed(survivor)) expect(await read()).toBe(200)

    let isKilled = false
    void killed.ended().then(() => (isKilled = true))
    const callers = Array.from({ length: 8 }, async () => {
      const statuses = new Set<number | 'cut off'>()
      while (!isKilled) statuses.add(await read().catch(() => 'cut off'))
      return statuses
    })
    await Promise.all(Array.from({ length: 20 }, read))
    killed.child.kill('SIGKILL')
    for (const statuses of await Promise.all(callers)) {
      statuses.delete('cut off')
      expect([...statuses]).toEqual([200])
    }
    for (let count = 0; count < 20; count += 1) expect(await read()).toBe(200)
  },
)
