/**
 * Runs a tool of this folder. Installs the tools first if they are missing or belong to another lock file.
 * node tools/run.ts <package> [arguments]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = fileURLToPath(new URL('.', import.meta.url))

/** Installs the tools if they are missing or belong to another lock file. */
export function installTools(): void {
  const [lock, installed] = [`${folder}package-lock.json`, `${folder}node_modules/installed-lock.json`]
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return
  // Standard output belongs to the tool.
  const stdio: ['ignore', number, 'inherit'] = ['ignore', 2, 'inherit']
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, stdio })
  copyFileSync(lock, installed)
}

/** Runs the command of the package in the checkout, and returns its exit code. */
export function runTool(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const program = programOf(name)
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } } as const
  return spawnSync(process.execPath, [program, ...args], options).status ?? 1
}

/** The file that Node runs for the command of the package. */
export function programOf(name: string): string {
  installTools()
  const { bin }: { bin: string | Record<string, string> } = JSON.parse(
    readFileSync(`${folder}node_modules/${name}/package.json`, 'utf8'),
  )
  return `${folder}node_modules/${name}/${typeof bin === 'string' ? bin : Object.values(bin)[0]}`
}

const [, program, name = '', ...args] = process.argv
if (program === fileURLToPath(import.meta.url)) process.exitCode = runTool(name, args)
