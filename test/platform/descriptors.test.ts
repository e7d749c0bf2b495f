import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { connect, metricsToken, startProcessWithDescriptors } from '../support/service-process.ts'

const max = 120

test.runIf(process.platform === 'linux')(
  'a process without free file descriptors logs it once and counts it',
  async () => {
    const service = await startProcessWithDescriptors(max)
    const kept = connect(service.url)
    const metric = async (name: RegExp) => {
      const { text } = await kept.get('/metrics', { authorization: `Bearer ${metricsToken}` })
      return Number(name.exec(text)?.[1])
    }
    expect(await metric(/^process_max_fds (\d+)$/m)).toBe(max)
    expect(await metric(/^process_open_fds (\d+)$/m)).toBeLessThan(max)
    expect(await metric(/^muster_limit_reached_total\{limit="file descriptors"\} (\d+)$/m)).toBe(0)

    // From now on every new descriptor exceeds the limit. Open descriptors stay open.
    await promisify(execFile)('prlimit', ['--pid', String(service.child.pid), '--nofile=1:'])
    await expect
      .poll(() => metric(/^muster_limit_reached_total\{limit="file descriptors"\} (\d+)$/m))
      .toBeGreaterThan(1)
    const lines = service.lines.filter((line) => line.msg === 'limit reached')
    expect(lines).toMatchObject([{ level: 40, limit: 'file descriptors', max }])
  },
)
