import { randomBytes } from 'node:crypto'
import { connect as connectSocket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { connect, startProcessOfService } from '../support/service-process.ts'

const program = fileURLToPath(new URL('../../dist/bundle/main.cjs', import.meta.url))
const token = 'a-token-of-the-monitoring'
const max = 120

test.runIf(process.platform === 'linux')(
  'a process without a free file descriptor says so once in the log, and counts it',
  async () => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const env = {
      DATABASE_URL: fresh.url,
      MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      MUSTER_METRICS_TOKEN: token,
    }
    const limited = `ulimit -n ${max} && exec "$0" "$1"`
    const service = await startProcessOfService(env, ['bash', '-c', limited, process.execPath, program])
    const kept = connect(service.url)
    const metric = async (name: RegExp) => {
      const { text } = await kept.get('/metrics', { authorization: `Bearer ${token}` })
      return Number(name.exec(text)?.[1])
    }
    expect(await metric(/^process_max_fds (\d+)$/m)).toBe(max)
    expect(await metric(/^process_open_fds (\d+)$/m)).toBeLessThan(max)
    expect(await metric(/^muster_limit_reached_total\{limit="file descriptors"\} (\d+)$/m)).toBe(0)

    const { hostname, port } = new URL(service.url)
    for (let count = 0; count < max; count += 1) {
      const socket = connectSocket(Number(port), hostname).on('error', () => undefined)
      onTestFinished(() => void socket.destroy())
    }
    await expect
      .poll(() => metric(/^muster_limit_reached_total\{limit="file descriptors"\} (\d+)$/m))
      .toBeGreaterThan(1)
    const lines = service.lines.filter((line) => line.msg === 'limit reached')
    expect(lines).toMatchObject([{ level: 40, limit: 'file descriptors', max }])
  },
)
