import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import truncated from 'fast-string-truncated-width'
import { expect, onTestFinished } from 'vitest'

const run = promisify(execFile)

export interface Terminal {
  /** What stands there, from the first line on; a line that the terminal had to wrap is one line. */
  text(): Promise<string>
  /** As tmux names keys, such as `C-c`. */
  press(key: string): Promise<void>
  /** The exit code, once the command has ended. */
  ended(): Promise<number>
}

export interface TerminalOptions {
  readonly columns: number
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Of tmux and of what it runs. Not `CI`, with which progress is printed line by line. */
const surroundings = { PATH: process.env.PATH, LANG: 'C.UTF-8', TERM: 'xterm-256color' }

/** Runs the command in a terminal of its own (tmux), with a scrollback that holds everything. */
export async function openTerminal(
  command: readonly string[],
  { columns, env, cwd }: TerminalOptions,
): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-terminal-'))
  const settings = join(folder, 'tmux.conf')
  writeFileSync(settings, "set -g remain-on-exit on\nset -g remain-on-exit-format ''\nset -g history-limit 10000\n")
  const tmux = async (...args: readonly string[]) =>
    (await run('tmux', ['-u', '-S', join(folder, 'socket'), '-f', settings, ...args], { env: surroundings })).stdout
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const size = ['-x', String(columns), '-y', '40']
  // tmux does not always learn the exit code. What sends SIGINT means the command, and not the shell around it.
  const exitCode = join(folder, 'exit-code')
  const shell = ['sh', '-c', 'trap : INT; "$@"; echo $? >"$0"', exitCode]
  await tmux('new-session', '-d', ...size, ...variables, '-c', cwd, ...shell, ...command)
  onTestFinished(async () => {
    await tmux('kill-server')
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    async text() {
      const captured = await tmux('capture-pane', '-p', '-J', '-S', '-')
      return captured
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd()
    },
    async press(key) {
      await tmux('send-keys', key)
    },
    async ended() {
      // Dead is the pane that has shown all output.
      await expect.poll(() => tmux('display-message', '-p', '#{pane_dead}')).toBe('1\n')
      await expect.poll(() => existsSync(exitCode)).toBe(true)
      return Number(readFileSync(exitCode, 'utf8'))
    },
  }
}

/** Lines that did not fit into so many columns. */
export function spilled(text: string, columns: number): readonly string[] {
  return text.split('\n').filter((line) => truncated(line).width > columns)
}
