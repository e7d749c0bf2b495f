import { Readable } from 'node:stream'
import type { Ended, RunOptions } from './run-muster.ts'

/**
 * Runs a command from its sources in this process, with no settings but those given. For `npm run mutate`: the sources of this process have
 * a fault compiled in, and the built command has none. One command at a time.
 */
export async function runInProcess(args: readonly string[], { env = {}, input = '' }: RunOptions): Promise<Ended> {
  const { createProgram } = await import('../../cli/program.ts')
  const { reportError } = await import('../../cli/report-error.ts')
  // A pipeline into standard output leaves its listeners there, one command after the other.
  process.stdout.setMaxListeners(0)
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  const { stdin, exitCode, env: before } = process
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) })
  process.env = { PATH: before.PATH ?? '', ...env }
  process.exitCode = 0
  try {
    await createProgram().parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = reportError(error)
  } finally {
    stdout.stop()
    stderr.stop()
    process.env = before
    Object.defineProperty(process, 'stdin', { configurable: true, value: stdin })
  }
  const code = Number(process.exitCode)
  process.exitCode = exitCode
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** Keeps what is written to the stream instead of writing it. */
function capture(stream: NodeJS.WriteStream) {
  const pieces: Buffer[] = []
  const { write } = stream
  stream.write = (piece: string | Uint8Array, ...more: unknown[]) => {
    pieces.push(Buffer.from(piece))
    const written = more.find((one): one is () => void => typeof one === 'function')
    if (written) setImmediate(written)
    return true
  }
  return {
    stop: () => {
      stream.write = write
    },
    text: () => Buffer.concat(pieces).toString(),
  }
}
