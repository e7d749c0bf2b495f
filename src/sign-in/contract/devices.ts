import Type, { type Static } from 'typebox'
import { ids, json, named, type OperationContract } from '../../platform/http/contract.ts'
import { sessionProblems } from './sessions.ts'

export const Device = named('Device', {
  id: Type.String(),
  label: Type.Optional(Type.String({ description: 'The user agent of its last sign-in.' })),
  createdAt: Type.String({ description: 'RFC 3339.' }),
  lastUsedAt: Type.String({ description: 'RFC 3339. The time of the last sign-in with it.' }),
  isCurrent: Type.Boolean({ description: 'Whether the session of the call was opened with it.' }),
})
export type Device = Static<typeof Device>

export const listDevicesContract = {
  id: 'listDevices',
  method: 'GET',
  path: '/auth/devices',
  tag: 'Built-in issuer',
  summary: 'List the caller’s devices',
  description:
    'The devices that the account knows, the most recently used first: at most 20, each for 180 days after its last use. A known device is not held up by the wrong passwords of others.',
  permission: 'caller',
  actAs: true,
  answers: {
    200: json('Known devices', named('Devices', { devices: Type.Array(Device) }), {
      devices: [
        {
          id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
          label: 'Mozilla/5.0 (X11; Linux x86_64)',
          createdAt: '2026-11-02T08:00:00Z',
          lastUsedAt: '2026-11-02T09:30:00Z',
          isCurrent: true,
        },
      ],
    }),
  },
  problems: sessionProblems,
} as const satisfies OperationContract

export const removeDeviceContract = {
  id: 'removeDevice',
  method: 'DELETE',
  path: '/auth/devices/{deviceId}',
  tag: 'Built-in issuer',
  summary: 'Forget one of the caller’s devices',
  description: 'Its token counts for nothing from the next sign-in on. Its sessions stay open.',
  permission: 'caller',
  params: ids('deviceId'),
  answers: { 204: { description: 'The device is forgotten' } },
  problems: ['device_unknown', ...sessionProblems],
} as const satisfies OperationContract
