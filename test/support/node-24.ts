import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** Packages of npm: the major version of `NODE_IMAGE` in the Containerfile, and npm as it comes with it. */
export const node24 = `node-${process.platform}-${process.arch}@24.21.0`
export const npm11 = 'npm@11.6.2'

/** Installs both below the folder. Answers a PATH on which they come first. */
export async function installNode24(folder: string): Promise<string> {
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
  await promisify(execFile)('npm', ['install', ...options, node24, npm11])
  return `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
}
