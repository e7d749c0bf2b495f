import { request } from 'undici'
import type { Question } from './latency.ts'
import type { BenchService } from './service.ts'

export const listPath = '/api/v1/admin/users/fetch'

/** The first page of 100 in the order of creation. */
export function firstPage(service: BenchService, name: string): Question {
  return { name, service, path: () => `${listPath}?limit=100` }
}

export const depths = [0, 0.1, 0.5, 0.9] as const
export const deepSorts = ['created', '-email'] as const

export function depthName(sort: string, depth: number): string {
  return `${sort}, ${depth * 100} % of the list before it`
}

/** Pages of 100 at several depths of a list of `total`, using cursors from the pages before. */
export async function deepPages(service: BenchService, total: number): Promise<readonly Question[]> {
  const step = Math.min(1_000, Math.ceil(total / 10))
  const questions: Question[] = []
  for (const sort of deepSorts) {
    let next = `${listPath}?limit=${step}&sort=${sort}`
    let seen = 0
    for (const depth of depths) {
      let cursor = ''
      for (; seen < depth * total && next !== ''; seen += step) {
        const { headers } = await ask(service, next)
        next = /^<(.+)>;/.exec(String(headers.link))?.[1] ?? ''
        cursor = `&cursor=${new URLSearchParams(next.split('?')[1]).get('cursor')}`
      }
      const path = `${listPath}?limit=100&sort=${sort}${cursor}`
      questions.push({ name: depthName(sort, depth), service, path: () => path })
    }
  }
  return questions
}

async function ask(service: BenchService, where: string) {
  const answer = await request(`${service.url}${where}`, { headers: { authorization: `Bearer ${service.token}` } })
  await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${where} answered ${answer.statusCode}`)
  return answer
}

/** Rare, common and short search terms, and terms that no user has. The numbers hold for a million users created by `muster seed`. */
const parts = {
  'none at all': 'quentin.petrov7777',
  'nine hundred': 'zuzanna.w',
  'four thousand': '777',
  'ten thousand': '12@',
  'one in twenty': 'corp.example',
  'every second': '.com',
  all: '@',
  'none, a name': 'no.such.person',
  'none, of common parts': 'com@gmail',
  'none, two characters': 'qz',
  'none, one character': '#',
  'two common characters': 'an',
  'a digit and a sign': '7@',
  'one character': 'q',
  'a full name': 'quentin petrov',
  'a given name': 'Zuzanna ',
  'a given name of the middle': 'quentin',
  'a family name': 'Иванов',
  'a part of a name': 'wiśniew',
  'a domain in Unicode': 'müller.ex',
  'A-labels': '@xn--mller',
}

/** Each term in every order, including the least suitable one. */
export function searches(service: BenchService): readonly Question[] {
  return Object.entries(parts).flatMap(([kind, part]) =>
    ['created', '-created', 'email', '-email'].map((sort) => ({
      name: `${part} (${kind}), ${sort}`,
      service,
      path: () => `${listPath}?limit=100&sort=${sort}&q=${encodeURIComponent(part)}`,
    })),
  )
}
