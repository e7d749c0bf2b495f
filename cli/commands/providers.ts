import { type Command, Option } from 'commander'
import type { ProbeOptions } from '../providers/probe.ts'
import { asUndetermined, collected } from './keys.ts'

export function providers(program: Command): void {
  program
    .command('providers')
    .description('Whether a provider answers as Muster expects.')
    .command('probe')
    .summary('Compare the answers of a provider with its file.')
    .description(
      'Check a key of yours, and a made-up one of the same shape, and print what the provider answered and what Muster made of it, without values. The command prompts for the key or reads it from standard input. Needs no database.',
    )
    .argument('<id>', 'Provider, such as cloudflare.')
    .addOption(new Option('-t, --key-type <type>', 'What kind of credential it is.').choices(['api_token', 'api_key']))
    .option('-e, --email <address>', 'E-mail address of the account, where the provider needs it.')
    .option('--part <name=value>', 'Another part of the credential that is no secret. Repeatable.', collected)
    .option('--part-file <name=path>', 'Another part of the credential, from a file. Repeatable.', collected)
    .option('--only-real', 'Leave the made-up key out: a provider may count it as a failed sign-in.')
    .option('--record <file>', 'Also write the redacted answers to a new file.')
    .option('--json', 'Print what --record writes.')
    .addHelpText('after', exitCodes)
    .exitOverride(asUndetermined)
    .action(async (id: string, options: ProbeOptions) => {
      // Loaded here, because only few commands ask providers.
      const { probeProvider } = await import('../providers/probe.ts')
      return probeProvider(id, options)
    })
}

const exitCodes = `
Exit codes:
  0  your key was found valid, and the made-up one invalid
  1  an answer led to something else
  2  a key was not looked at, or the command could not start

Examples:
  muster providers probe hetzner < token.txt
  muster providers probe hetzner --only-real --record hetzner.json`
