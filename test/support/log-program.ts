import { setImmediate } from 'node:timers/promises'
import { createLog, flushLog } from '../../src/platform/log.ts'

/** What `test/platform/log.test.ts` runs: writes as many lines as it is asked for, and says when it did and what memory it takes then. */
const log = createLog('info')
const text = 'x'.repeat(200)

process.on('message', async (count: number) => {
  for (let number = 0; number < count; number += 1) {
    log.info({ number, text }, 'line')
    if (number % 1_000 === 0) await setImmediate()
  }
  process.send?.(process.memoryUsage().rss)
})
process.once('disconnect', async () => {
  await flushLog(log)
  process.exit()
})
