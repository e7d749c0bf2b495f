import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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

    // From now on every new descriptor is beyond the limit; what is open stays.
    await promisify(execFile)('prlimit', ['--pid', String(service.child.pid), '--nofile=1:'])
    await expect
      .poll(() => metric(/^muster_limit_reached_total\{limit="file descriptors"\} (\d+)$/m))
      .toBeGreaterThan(1)
    const lines = service.lines.filter((line) => line.msg === 'limit reached')
    expect(lines).toMatchObject([{ level: 40, limit: 'file descriptors', max }])
  },
)
