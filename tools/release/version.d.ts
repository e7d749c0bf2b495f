export const textFiles: readonly string[]
export function readVersion(): string
export function writeVersion(version: string): void
