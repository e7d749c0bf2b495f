import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const program = join(import.meta.dirname, '../support/shutdown-program.ts')

interface Line {
  readonly msg: string
  readonly isHurried?: boolean
  readonly err?: { readonly message: string }
}

/** Starts a process that stops in this way, and waits until it is ready. */
async function startProcess(way: 'at once' | 'never' | 'failing') {
  const child = spawn(process.execPath, [program, way], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (!child.stdout) throw new Error('it has no standard output')
  const lines: Line[] = []
  const isRead = once(
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line))),
    'close',
  )
  const ended = once(child, 'exit').then(async ([code]): Promise<number | null> => {
    await isRead
    return code
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  return { child, lines, ended }
}

const messagesOf = (lines: readonly Line[]) => lines.map(({ msg }) => msg)

test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
  '%s: closes everything and exits with 0',
  async (signal) => {
    const { child, lines, ended } = await startProcess('at once')
    child.kill(signal)
    expect(await ended).toBe(0)
    expect(messagesOf(lines)).toEqual(['draining', 'stopping', 'stopped'])
    expect(lines[1]).toMatchObject({ isHurried: false })
  },
)

test.each(['throw', 'reject'])(
  'an uncaught error (%s) is logged, everything is closed with isHurried, and the process exits with 1',
  async (what) => {
    const { child, lines, ended } = await startProcess('at once')
    child.send(what)
    expect(await ended).toBe(1)
    expect(lines).toMatchObject([
      { msg: 'stopping after an uncaught error', err: { message: 'a bug' } },
      { msg: 'stopping', isHurried: true },
      { msg: 'stopped' },
    ])
  },
)

test('an error while stopping is logged and exits immediately with 1', async () => {
  const { child, lines, ended } = await startProcess('never')
  child.kill('SIGTERM')
  await expect.poll(() => messagesOf(lines)).toContain('stopping')
  child.send('throw')
  expect(await ended).toBe(1)
  expect(lines.at(-1)).toMatchObject({
    msg: 'error while stopping: exiting immediately',
    err: { message: 'a bug' },
  })
})

test('a failed or slow stop is logged and exits with 1', async () => {
  const failing = await startProcess('failing')
  failing.child.kill('SIGTERM')
  expect(await failing.ended).toBe(1)
  expect(failing.lines.at(-1)).toMatchObject({ err: { message: 'a part did not close' } })
  const late = await startProcess('never')
  late.child.kill('SIGTERM')
  expect(await late.ended).toBe(1)
  expect(messagesOf(late.lines)).toEqual(['draining', 'stopping'])
})
