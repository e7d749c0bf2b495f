import type { ImportFormat } from './format.ts'
import { auth0 } from './formats/auth0.ts'
import { betterAuth } from './formats/better-auth.ts'
import { clerk } from './formats/clerk.ts'
import { keycloak } from './formats/keycloak.ts'
import { muster } from './formats/muster.ts'
import { supabase } from './formats/supabase.ts'

/** By the name that `--from` takes. */
export const importFormats: Readonly<Record<string, ImportFormat>> = {
  muster,
  supabase,
  auth0,
  clerk,
  keycloak,
  'better-auth': betterAuth,
}
