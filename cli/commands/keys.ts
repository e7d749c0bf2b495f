import { type Command, CommanderError, Option } from 'commander'
import type { CheckOptions } from '../check-key.ts'
import { undeterminedExitCode } from '../fault.ts'

export function keys(program: Command): void {
  const group = program.command('keys').description('Whether a provider’s key works.')
  group
    .command('check')
    .summary('Ask the provider whether a credential works.')
    .description(
      'Ask the provider whether a credential works. It is asked for, or read from standard input; it never is an argument, where others on the machine would see it. Needs no database.',
    )
    .option('-p, --provider <id>', 'Provider, such as cloudflare. Default: MUSTER_DEFAULT_PROVIDER.')
    .addOption(new Option('-t, --key-type <type>', 'What kind of credential it is.').choices(['api_token', 'api_key']))
    .option('-e, --email <address>', 'E-mail address of the account, where the provider needs it.')
    .option('--details', 'Tell all that was found out.')
    .option('--json', 'Print what the service would answer.')
    .addHelpText('after', examples)
    .exitOverride(asUndetermined)
    .action(async (options: CheckOptions) => {
      // Loaded here, because only this command asks providers.
      const { checkKey } = await import('../check-key.ts')
      await checkKey(options)
    })
}

const examples = `
Exit codes:
  0  the credential is valid
  1  it is not
  2  that is not known: the provider could not be asked, or not like this

Examples:
  muster keys check
  muster keys check --provider cloudflare --key-type api_token < token.txt
  muster keys check -t api_key -e ada@example.com --details`

/** A script must not take a mistyped option for an invalid credential. */
function asUndetermined({ exitCode, code, message }: CommanderError): never {
  throw new CommanderError(exitCode === 0 ? 0 : undeterminedExitCode, code, message)
}
