import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { environmentOf } from './node.ts'
import type { People, Person } from './people.ts'

/**
 * Creates the same as `createPeople` by the command of another release, because its accounts may not fit the statements
 * of this one.
 */
export async function peopleByCommand(folder: string, databaseUrl: string, count: number): Promise<People> {
  const create = async (role: string, name: string): Promise<Person> => {
    const email = `${name}@faults.example`
    const password = randomBytes(18).toString('base64url')
    const options = ['users', 'create', '--email', email, '--role', role, '--json']
    const { id } = JSON.parse(await runCommand(folder, databaseUrl, options, password))
    return { id, token: (await runCommand(folder, databaseUrl, ['token', '--email', email])).trim() }
  }
  const admin = await create('admin', 'admin')
  const users: Person[] = []
  for (let number = 0; number < count; number += 1) users.push(await create('user', `user${number}`))
  return { admin, users }
}

/** Runs `muster` of the release in that folder. Returns its output. */
export async function runCommand(
  folder: string,
  databaseUrl: string,
  args: readonly string[],
  input = '',
): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'cli/bin.js'), ...args], {
    env: environmentOf({ databaseUrl }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(input)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`muster ${args[0]} of ${folder} ended with ${code}`)
  return printed
}
