import { listSettings } from '../../src/config.ts'
import type { Setting } from '../../src/platform/settings.ts'

/** The text of docs/configuration.md: every setting. */
export function configurationPage(): string {
  return `# Configuration

Generated from \`src/config.ts\` by \`npm run generate\`. The service reads its settings from the environment, once, at the start. An empty value counts as
unset, except that of \`DATABASE_URL\`. A wrong value stops the start, with one line for each wrong value, and so does a name with \`MUSTER_\` that is not in
the table; \`npx muster doctor\` checks them without a start. A
setting marked as secret may come from a file instead: \`<NAME>_FILE\` is its path. A file that is empty or cannot be read
stops the start. The embedded database is not started where a variable such as \`PGHOST\` or \`DB_URL\` names another one.

| setting | default | meaning |
|---|---|---|
${listSettings().map(row).join('\n')}
`
}

function row({ name, fallback, meaning, isSecret }: Setting): string {
  return `| \`${name}\`${isSecret ? ' (secret)' : ''} | ${fallback === '' ? '–' : `\`${fallback}\``} | ${meaning} |`
}
