import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const program = join(import.meta.dirname, '../support/log-program.ts')

test('a process that exits by itself writes every line completely and in order', async () => {
  const child = start()
  const { lines, ended } = read(child)
  await write(child, 10_000)
  child.disconnect()
  await ended
  expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: 10_000 }, (_, number) => number))
})

test('a running process writes each line soon, even if no further line follows', async () => {
  const child = start()
  const { lines } = read(child)
  for (const count of [1, 2, 3]) {
    await write(child, 1)
    await expect.poll(() => lines.length).toBe(count)
  }
})

test('buffers at most 16 MiB while stdout is blocked, then drops lines and counts them', async () => {
  const child = start()
  const many = 90_000 // 25 MB
  expect(await write(child, many)).toBeLessThan(250 * 1_024 * 1_024)

  const { lines, ended } = read(child)
  const lost = () => lines.filter(({ msg }) => msg === 'log lines dropped')
  await expect.poll(() => lost().length).toBeGreaterThan(0)
  await write(child, 1_000)
  child.disconnect()
  await ended
  const written = lines.filter(({ msg }) => msg === 'line').length
  expect(written).toBeGreaterThan((16 * 1_024 * 1_024) / 300)
  expect(written + lost().reduce((sum, { lines: count = 0 }) => sum + count, 0)).toBe(many + 1_000)
})

function start(): ChildProcess {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Returns the memory of the process in bytes after it has written this many lines. */
async function write(child: ChildProcess, lines: number): Promise<number> {
  const said = once(child, 'message')
  child.send(lines)
  const [rss] = await said
  return Number(rss)
}

interface Line {
  readonly msg: string
  readonly number?: number
  readonly lines?: number
}

/** The lines so far. `ended` resolves after the last one. */
function read({ stdout }: ChildProcess): { readonly lines: readonly Line[]; readonly ended: Promise<unknown> } {
  if (!stdout) throw new Error('The process was started without a pipe.')
  const lines: Line[] = []
  const reader = createInterface({ input: stdout }).on('line', (text) => lines.push(JSON.parse(text)))
  return { lines, ended: once(reader, 'close') }
}
