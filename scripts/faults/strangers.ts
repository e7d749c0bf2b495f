import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'

/**
 * The process of the strangers of `sign-in-flood.ts`: they guess at made-up names, a new one each time, so that no bucket but the hashing
 * itself stops them. A process of its own, because what the sending of a flood takes must not be measured as the time of a read.
 * Arguments: the service's address, and how many strangers. Each status is sent to the parent; what the parent sends ends it.
 */
const [url = '', strangers = ''] = process.argv.slice(2)
const dispatcher = new Agent()
let isStopped = false
process.once('message', () => {
  isStopped = true
})

async function guess(stranger: number): Promise<void> {
  for (let number = 0; !isStopped; number += 1) {
    const { statusCode, body } = await request(`${url}/auth/sign-in`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `2001:db8:${stranger.toString(16)}::1` },
      body: JSON.stringify({
        email: `stranger${stranger}-${number}@example.com`,
        password: 'a password that is wrong',
      }),
    })
    await body.dump()
    process.send?.(statusCode)
    // The way to a server and back.
    await setTimeout(50)
  }
}

await Promise.all(Array.from({ length: Number(strangers) }, (_, stranger) => guess(stranger)))
await dispatcher.destroy()
process.disconnect()
