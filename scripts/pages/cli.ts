import type { Command } from 'commander'
import { createProgram } from '../../cli/program.ts'

/** The text of docs/cli.md: the help of every command. */
export async function cliPage(): Promise<string> {
  const program = await createProgram()
  return `# The command line

Generated from \`cli/program.ts\` by \`npm run generate\`: the text of \`--help\` for each command.

In a checkout, run \`npx muster <command>\`. Commands that need the database use the one of a running service, or start the embedded one and stop
it again. Standard output contains only the result; hints, prompts and errors go to standard error. An expected error is one sentence.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | an error, or a failed check of \`doctor\`, or rejected lines of \`import\`; for \`keys check\`, an invalid credential; for \`keys watch\`, also one that expires soon; for \`providers probe\`, an answer that differs |
| 2 | \`keys check\`, \`keys watch\`, \`providers probe\`: the outcome is unknown, or an error |
| 130 | Ctrl-C |

Colours appear on terminals only, and \`NO_COLOR\` switches them off. A secret is never an argument: commands prompt for it, or read it from
standard input.

${[program, ...leavesOf(program)].map(section).join('\n')}`
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]))
}

function section(command: Command): string {
  return `## ${pathOf(command)}\n\n\`\`\`text\n${helpOf(command).trimEnd()}\n\`\`\`\n`
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function helpOf(command: Command): string {
  let text = ''
  const keep = (piece: string) => {
    text += piece
  }
  command.configureOutput({ writeOut: keep, getOutHelpWidth: () => 100, getOutHasColors: () => false })
  command.outputHelp()
  return text
}
