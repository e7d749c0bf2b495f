import { ibmInstanceCrn } from '../simulator/ibmcloud.ts'
import type { Recording } from '../simulator/recording.ts'

const members = 'IBM/networking-go-sdk zonesv1/zones_v1.go @c4f7813 (the members)'

function page(total: number, ...names: string[]): object {
  const result = names.map((name) => ({ id: '01652b251c3ae2787110a995d8db0135', name, status: 'active' }))
  return { success: true, errors: [], messages: [], result, result_info: { page: 1, per_page: 20, total_count: total } }
}

export const recording: Recording = {
  id: 'ibmcloud',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: `/@cis/v1/${encodeURIComponent(ibmInstanceCrn)}/zones?per_page=20`,
    headers: { authorization: 'Bearer eyJ.{token}' },
  },
  asks: {},
  answers: [
    {
      name: 'valid',
      source: members,
      status: 200,
      body: page(1, 'example.com'),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] } },
    },
    {
      name: 'more-instances',
      source: members,
      status: 200,
      body: page(1, 'example.com'),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['example.com'], moreZones: true } },
    },
    { name: 'refused-zones', madeUp: 'no source shows a refusal', status: 403, body: { message: 'Forbidden' } },
  ],
}
