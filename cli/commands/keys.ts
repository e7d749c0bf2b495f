import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { CheckOptions } from '../check-key.ts'
import { undeterminedExitCode } from '../fault.ts'
import type { CheckFileOptions } from '../keys/check-file.ts'

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
    .option('--json', 'Print what the service would answer; with --file, the counts.')
    .addOption(new Option('-f, --file <path>', 'Check many: a CSV file, or - for standard input.').conflicts('details'))
    .option('-r, --report <path>', 'With --file: where the outcome of every line goes, .csv or .json.')
    .option('-y, --yes', 'With --file: replace a report that is there.')
    .option('--at-once <number>', 'With --file: so many checks at once.', wholeNumber(1, 256), 8)
    .option('--wait <seconds>', 'With --file: the longest to wait for a provider.', wholeNumber(0, 86_400), 300)
    .addHelpText('after', examples)
    .exitOverride(asUndetermined)
    .action(async (options: OneOrMany, command: Command) => {
      const { file } = options
      // Loaded here, because only this command asks providers.
      if (file === undefined) {
        refuseWithoutFile(command)
        const { checkKey } = await import('../check-key.ts')
        return checkKey(options)
      }
      const { checkFile } = await import('../keys/check-file.ts')
      return checkFile({ ...options, file })
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
  muster keys check -t api_key -e ada@example.com --details

Many keys:
  The first line of the file names its columns: key and, where wanted, provider, key_type,
  email and label. Lines that do not say go by --provider, --key-type and --email. Neither
  the report nor anything else holds a key; a line is told by its number and its label.
  A provider that asks for quiet, for a rate limit or after too many wrong keys, is waited
  for; keys that it has not judged by then are undetermined, and never invalid. Ctrl-C
  writes the report of what was done.

Exit codes with --file:
  0  every key is valid
  1  every key was judged, and at least one is not valid
  2  of at least one nothing is known, or its line is malformed

Examples:
  muster keys check --file keys.csv --report outcome.csv
  muster keys check --file - -p hetzner < keys.csv`

type OneOrMany = CheckOptions & Omit<CheckFileOptions, 'file'> & { readonly file?: string }

const ofFiles = ['report', 'yes', 'atOnce', 'wait']

function refuseWithoutFile(command: Command): void {
  const given = ofFiles.find((name) => command.getOptionValueSource(name) === 'cli')
  const option = command.options.find((one) => one.attributeName() === given)
  if (option) command.error(`error: option '${option.flags}' goes only with --file.`)
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,6}$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

/** A script must not take a mistyped option for an invalid credential. */
function asUndetermined({ exitCode, code, message }: CommanderError): never {
  throw new CommanderError(exitCode === 0 ? 0 : undeterminedExitCode, code, message)
}
