import { setTimeout } from 'node:timers/promises'
import { Agent, request } from 'undici'

/**
 * The process of the attackers in `sign-in-flood.ts`. They guess at made-up names, a new one each time, so that no limit per name stops
 * them. A separate process, because its sending time must not count as the time of a read. Arguments: the service's address, the number of
 * attackers, the milliseconds between two guesses, and `answered` to wait for the answer first. Sends each status to the parent; a message
 * from the parent ends the process.
 */
const [url = '', attackers = '', pauseMs = '', mode = ''] = process.argv.slice(2)
const dispatcher = new Agent()
let isStopped = false
process.once('message', () => {
  isStopped = true
})

async function guess(attacker: number): Promise<void> {
  const answers: Promise<void>[] = []
  for (let number = 0; !isStopped; number += 1) {
    const answer = guessOnce(attacker, number)
    answers.push(answer)
    if (mode === 'answered') await answer
    await setTimeout(Number(pauseMs))
  }
  await Promise.all(answers)
}

async function guessOnce(attacker: number, number: number): Promise<void> {
  const { statusCode, body } = await request(`${url}/auth/sign-in`, {
    method: 'POST',
    dispatcher,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `2001:db8:${attacker.toString(16)}::1` },
    body: JSON.stringify({ email: `attacker${attacker}-${number}@example.com`, password: 'a wrong password' }),
  })
  await body.dump()
  process.send?.(statusCode)
}

await Promise.all(Array.from({ length: Number(attackers) }, (_, attacker) => guess(attacker)))
await dispatcher.destroy()
process.disconnect()
