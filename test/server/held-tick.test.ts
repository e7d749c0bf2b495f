import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { holdTick } from '../../src/server/held-tick.ts'

test('what is held is an object that Node makes for a tick, with the members of every other', async () => {
  const ticks: object[] = []
  const hook = createHook({
    init(_, type, __, resource) {
      if (type === 'TickObject') ticks.push(resource)
    },
  }).enable()
  const held = await holdTick()
  process.nextTick(() => undefined)
  hook.disable()
  expect(ticks).toContain(held)
  for (const tick of ticks) expect(Reflect.ownKeys(tick)).toEqual(Reflect.ownKeys(held))
  expect(Reflect.ownKeys(held)).toContain('callback')
})
