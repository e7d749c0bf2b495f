import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { accountChanges, type Owner, type Place } from '../../../support/account-changes.ts'
import { makeDataDir } from '../../../support/data-dir.ts'
import { freshDatabase } from '../../../support/database.ts'
import { type Answer, httpClient } from '../../../support/http-client.ts'
import { createPerson } from '../../../support/person.ts'
import { startProcessOfService } from '../../../support/service-process.ts'

const rounds = 20
/** Per round. Half of them use a known device, because unknown devices have ten attempts. */
const signIns = 20

/** Nodes on one database, each in its own process. */
async function startNodes(count: number) {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const dataDir = await makeDataDir()
  onTestFinished(() => dataDir.remove())
  const env = {
    DATABASE_URL: fresh.url,
    MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    MUSTER_PUBLIC_URL: 'http://muster.test',
    MUSTER_TRUSTED_PROXIES: '127.0.0.1',
    MUSTER_SIGN_INS_PER_MINUTE: '1000000',
    MUSTER_DATA_DIR: dataDir.path,
  }
  const urls: string[] = []
  for (let n = 0; n < count; n += 1) urls.push((await startProcessOfService(env)).url)
  return { fresh, nodes: urls.map((url) => httpClient(url)) }
}

let clients = 0
/** Each client is in its own network. */
const newNetwork = () => {
  clients += 1
  return { 'x-forwarded-for': `${20 + ((clients >> 16) & 63)}.${(clients >> 8) & 255}.${clients & 255}.1` }
}

const tokensOf = ({ status, text, body }: Answer) => {
  expect(status, text).toBe(200)
  return body as { access_token: string; refresh_token: string; device_token: string }
}

for (const nodeCount of [1, 2])
  for (const [change, prepareChange] of Object.entries(accountChanges))
    test(`${signIns} sign-ins around ${change}, ${rounds} times on ${nodeCount} node(s): no session survives`, async () => {
      const { fresh, nodes } = await startNodes(nodeCount)
      const [first] = nodes
      if (!first) throw new Error('there is no node')
      const nodeAt = (n: number) => nodes[n % nodes.length] ?? first
      const newPerson = (role: string) => createPerson(fresh.database, async () => '', { role })
      const send = (node: number, { email, password }: Pick<Owner, 'email' | 'password'>, more: object = {}) =>
        nodeAt(node).post('/auth/sign-in', { headers: newNetwork(), body: { email, password, ...more } })
      const admin = await newPerson('admin')
      const counts = { opened: 0, refused: 0 }

      for (let round = 0; round < rounds; round += 1) {
        const adminToken = tokensOf(await send(round, admin)).access_token
        const place: Place = { fresh, adminToken, call: nodeAt(round).call }
        const person = await newPerson('user')
        const own = tokensOf(await send(round, person))
        const { begin, finish } = await prepareChange(place, { ...person, token: own.access_token })
        const inFlight = Array.from({ length: signIns }, (_, n) =>
          send(n >> 1, person, n % 2 === 0 ? {} : { device_token: own.device_token }),
        )
        // The change begins immediately, or when some sign-ins are done. The others are being verified or queued.
        let answered = 0
        for (const one of inFlight)
          void one.finally(() => {
            answered += 1
          })
        await expect.poll(() => answered, { interval: 5 }).toBeGreaterThanOrEqual(round % 10)
        const changed = begin()
        let isChanged = false
        void changed.finally(() => {
          isChanged = true
        })
        // On a busy machine all of them can finish before the change, so more arrive until it is done.
        const late: Promise<Answer>[] = []
        while (!isChanged) {
          const one = send(round, person)
          late.push(one)
          await Promise.race([one, changed])
        }
        await changed
        const answers = await Promise.all([...inFlight, ...late])
        await finish?.()
        for (const answer of answers) {
          expect([200, 401, 403, 429, 503], answer.text).toContain(answer.status)
          if (answer.status !== 200) counts.refused += 1
          else await expectEnded(answer)
        }
      }
      // The change happened between the sign-ins.
      expect(counts.opened).toBeGreaterThan(0)
      expect(counts.refused).toBeGreaterThan(0)

      /** The database rejects the refresh immediately. Another node learns of the end within a moment. */
      async function expectEnded(answer: Answer): Promise<void> {
        counts.opened += 1
        const { access_token: token, refresh_token } = tokensOf(answer)
        for (const node of nodes) {
          const refreshed = await node.post('/auth/refresh', { headers: newNetwork(), body: { refresh_token } })
          expect(refreshed.status, refreshed.text).toBe(401)
          await expect.poll(async () => (await node.get('/api/v1/user/data', { token })).status).toBeGreaterThan(400)
        }
      }
    })
