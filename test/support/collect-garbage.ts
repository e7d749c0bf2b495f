import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects what nothing refers to, and lets finalizers run, which takes turns of the event loop. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  for (let round = 0; round < 5; round += 1) {
    await new Promise(setImmediate)
    collect()
  }
}
