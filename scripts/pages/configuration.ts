import { listSettings } from '../../src/config.ts'
import type { Setting } from '../../src/platform/settings.ts'

/** The text of docs/configuration.md: every setting. */
export function configurationPage(): string {
  return `# Configuration

Generated from the settings that \`src/config.ts\` lists, by \`npm run generate\`. The service reads its settings from the environment, once, at the start. An empty value counts as
unset, except for \`DATABASE_URL\`. A wrong value or an unknown name with \`MUSTER_\` stops the start, with one line for each;
\`npx muster doctor\` checks them without starting. A
secret setting may come from a file: \`<NAME>_FILE\` is its path. An empty or unreadable file
stops the start. The embedded database does not start if a variable such as \`PGHOST\` or \`DB_URL\` names another one.

| setting | default | meaning |
|---|---|---|
${listSettings().map(row).join('\n')}
`
}

function row({ name, fallback, meaning, isSecret }: Setting): string {
  return `| \`${name}\`${isSecret ? ' (secret)' : ''} | ${fallback === '' ? '–' : `\`${fallback}\``} | ${meaning} |`
}
