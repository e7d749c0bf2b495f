import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The names under which distributions install the browser. */
const programs = ['chromium', 'chromium-browser', 'google-chrome']

/** Where Chromium is installed. */
export function chromiumPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => programs.map((name) => join(folder, name))).find(isProgram)
}

/** Whether tests in a browser are left out. Never in CI, where they fail without one. */
export const isWithoutBrowser = chromiumPath() === undefined && !process.env.CI

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
