import { createCallers } from './callers.ts'
import { isWhole, seenOf } from './database-outages.ts'
import { startLoad } from './load.ts'
import type { Section } from './stage.ts'
import { until } from './wait.ts'

const cycles = 3
const secondsMax = 10

export const serviceKilled: Section = {
  name: 'service-killed',
  secondsMax: 90,
  async run(stage) {
    const databaseUrl = await (await stage.postgres()).newDatabase()
    let node = await stage.node({ databaseUrl })
    const { url } = node
    const load = startLoad({ url, callers: await createCallers(databaseUrl, 10) })
    await load.recovered(20)
    const seconds: number[] = []
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const from = performance.now()
      const acknowledged = () => load.since(from).filter(({ outcome }) => outcome === '201').length
      await until('writes are acknowledged', 30, () => acknowledged() >= 50)
      await node.kill()
      const killedAt = performance.now()
      node = await stage.node({ databaseUrl, env: { MUSTER_PORT: new URL(url).port } })
      await load.recovered(30)
      seconds.push((performance.now() - killedAt) / 1_000)
    }
    const result = await load.stop(databaseUrl)
    const longest = Math.max(...seconds)
    return [
      {
        done: `kill -9 of the service under load, ${cycles} times, and a start after each`,
        promised: `no wrong 401, no short list, no acknowledged write lost, everything works within ${secondsMax} s`,
        seen: `${seenOf(result)}, works again after at most ${longest.toFixed(1)} s`,
        isKept: isWhole(result) && longest <= secondsMax,
      },
    ]
  },
}
