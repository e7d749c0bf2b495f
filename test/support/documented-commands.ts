import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Block } from './documented-blocks.ts'

/** Commands of a page, and what it says that they print; nothing where it shows no output. */
export interface Step {
  readonly commands: string
  readonly output: string | undefined
}

/** A block in `sh` with its output; and of one in `console`, in which `$ ` begins a command, each command. */
export function stepsOf({ language, text, output }: Block): readonly Step[] {
  return language === 'console' ? sessionSteps(text) : [{ commands: text, output }]
}

function sessionSteps(text: string): readonly Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, commands = '', output = ''] = /^((?:[^\n]*\\\n)*[^\n]*\n)(.*)$/s.exec(part) ?? []
      return { commands, output: output.replace(/\n+$/, '\n') }
    })
}

const built = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A folder for PATH, in which `npx muster` is the one just built and `curl` finds the service where the pages have it. */
export function toolsFor(serviceUrl: string): string {
  const bin = mkdtempSync(join(tmpdir(), 'muster-tools-'))
  onTestFinished(() => rmSync(bin, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const muster = `exec "${process.execPath}" "${built('dist/bundle/muster.cjs')}" "$@"`
  write('npx', `shift; ${muster}`)
  write('muster', muster)
  const { host } = new URL(serviceUrl)
  const place = `PATH=\${PATH#*:}; set -- "\${@//localhost:4600/${host}}"; set -- "\${@//127.0.0.1:4600/${host}}"`
  write('curl', `${place}; exec curl $CURL_OPTIONS "$@"`)
  write('openssl', 'echo "$METRICS_TOKEN"') // a random one would not be that of the service
  return bin
}

/** Runs the steps in one shell, so that a later one has the variables of an earlier one; returns what each printed. */
export async function runSteps(
  steps: readonly Step[],
  { bin, env, cwd }: { readonly bin: string; readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<readonly string[]> {
  const script = steps.map(({ commands }) => `${commands}\necho; echo '${marker}'`).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { CURL_OPTIONS: '', PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: cwd, ...env },
  })
  return stdout.split(`\n${marker}\n`).slice(0, -1)
}

const marker = '--- next step ---'
