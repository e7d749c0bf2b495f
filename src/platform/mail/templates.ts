import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import { StartError } from '../start-error.ts'
import { type Language, languages, type MailKind, mailKinds } from './kinds.ts'

/** The parts of a mail, with placeholders such as `{{link}}`. */
interface Template {
  readonly subject: string
  readonly text: string
  /** Missing if the HTML is generated from the text. */
  readonly html?: string | undefined
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Templates {
  render(kind: MailKind, language: Language, values: Readonly<Record<string, string>>): RenderedMail
}

/** Placeholders of every template. */
const commonValues = ['service', 'email'] as const

/**
 * Reads the templates `mails/<language>/<kind>.txt`. A file of the same name in `folder` replaces a template and may add `<kind>.html`.
 * The first line of a text is `Subject: …`. Throws `StartError` for a malformed template or an unknown placeholder.
 */
export function readTemplates(folder: string | undefined): Templates {
  const templates = new Map<string, Template>()
  for (const language of languages)
    for (const kind of kinds) templates.set(`${language}/${kind}`, readTemplate(`${language}/${kind}`, kind, folder))
  return {
    render(kind, language, values) {
      const template = templates.get(`${language}/${kind}`)
      if (!template) throw new Error(`There is no template ${language}/${kind}.`)
      const { subject, text, html } = template
      return {
        subject: fill(subject, values),
        text: fill(text, values),
        html: html === undefined ? htmlOf(template, language, values) : fill(html, values, escapeHtml),
      }
    },
  }
}

// A cast, because Object.keys returns `string[]`. The object is a literal, so it has no other keys.
const kinds = Object.keys(mailKinds) as MailKind[]

function readTemplate(name: string, kind: MailKind, folder: string | undefined): Template {
  const own = folder === undefined ? undefined : join(folder, `${name}.txt`)
  const path = own !== undefined && existsSync(own) ? own : join(packageRoot(), 'mails', `${name}.txt`)
  const [, subject = '', text = ''] =
    /^Subject: (.+)\n\n([\s\S]+)$/.exec(readFileSync(path, 'utf8').replaceAll('\r\n', '\n')) ?? []
  if (text.trim() === '')
    throw new StartError(`${path} must start with "Subject: …" and an empty line, followed by the text.`)
  const htmlPath = folder === undefined ? undefined : join(folder, `${name}.html`)
  const html = htmlPath !== undefined && existsSync(htmlPath) ? readFileSync(htmlPath, 'utf8') : undefined
  const known: readonly string[] = [...commonValues, ...mailKinds[kind]]
  for (const part of [subject, text, html ?? ''])
    for (const [, value = ''] of part.matchAll(/\{\{([^}]{0,100})\}\}/g))
      if (!known.includes(value))
        throw new StartError(
          `${path} has the unknown placeholder {{${value}}}: use ${known.map((name) => `{{${name}}}`).join(', ')}.`,
        )
  return { subject, text, html }
}

function fill(template: string, values: Readonly<Record<string, string>>, encode = (value: string) => value): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => encode(values[name] ?? ''))
}

/** Generates HTML from the text, without images or other external content. A paragraph `{{link}}` becomes a link. */
function htmlOf({ subject, text }: Template, language: Language, values: Readonly<Record<string, string>>): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  const body = paragraphs.map((paragraph) =>
    paragraph === '{{link}}'
      ? `<p><a href="${escapeHtml(values.link ?? '')}">${escapeHtml(values.link ?? '')}</a></p>`
      : `<p>${fill(escapeHtml(paragraph), values, escapeHtml).replaceAll('\n', '<br>\n')}</p>`,
  )
  const title = fill(escapeHtml(subject), values, escapeHtml)
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="font: 16px/1.5 sans-serif; max-width: 36em; margin: 1em auto; overflow-wrap: anywhere">
${body.join('\n')}
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
