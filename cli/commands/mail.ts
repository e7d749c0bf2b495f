import type { Command } from 'commander'
import type { TestOptions } from '../run-mail.ts'

/** What the operator should know of the mails that the service sends. */
export function mail(program: Command): void {
  const group = program.command('mail').description('See what became of mails, and try the mail server.')
  group
    .command('status')
    .summary('Show the mails that wait and those that were given up.')
    .description(
      'Show the mail server, the mails that wait to be sent, with the faults of those that the server has not taken yet, and those that were given up in the last seven days, by kind and fault. Shows no address and no content.',
    )
    .option('--json', 'One JSON object.')
    .action(async (options: { json?: true }) => (await loadRunners()).runMailStatus(options))
  group
    .command('test')
    .summary('Send a test mail.')
    .description(
      'Send a test mail at once, past the outbox, and say whether the mail server has taken it. Exit code 1 where it has not.',
    )
    .argument('<address>', 'The recipient.')
    .option('--language <language>', 'en or de. The default is MUSTER_MAIL_LANGUAGE.')
    .addHelpText('after', example)
    .action(async (address: string, options: TestOptions) => (await loadRunners()).runMailTest(address, options))
}

const example = `
Example:
  muster mail test ada@example.com`

/** Loaded when a command runs: it would double the start time of every other command. */
function loadRunners() {
  return import('../run-mail.ts')
}
