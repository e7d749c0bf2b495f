import { createLog } from '../../src/platform/log.ts'
import { stopOnSignal } from '../../src/platform/shutdown.ts'

/** What `test/platform/shutdown.test.ts` runs: how it stops is the first argument, and a message from the test is an error in it. */
const [, , way = ''] = process.argv
const log = createLog('info')
const timer = setInterval(() => undefined, 60_000)

const ways: Readonly<Record<string, () => Promise<void>>> = {
  'at once': async () => undefined,
  never: () => new Promise(() => undefined),
  failing: async () => {
    throw new Error('a part did not close')
  },
}

stopOnSignal({
  log,
  timeoutMs: 1_000,
  async stop(isHurried) {
    log.info({ isHurried }, 'stopping')
    await ways[way]?.()
    clearInterval(timer)
  },
})

process.on('message', (what) => {
  const error = new Error('a bug')
  if (what === 'reject') void Promise.reject(error)
  else
    setImmediate(() => {
      throw error
    })
})
process.send?.('ready')
