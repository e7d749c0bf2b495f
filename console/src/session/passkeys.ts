import type { components } from '@muster/client'

type RequestOptions = components['schemas']['PasskeyRequest']['options']

/** A browser that reads the options as JSON (WebAuthn Level 3). */
export const hasPasskeys = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** The browser's own dialog. Throws a `DOMException` where the user cancels it. */
export async function askForPasskey(options: RequestOptions): Promise<components['schemas']['PasskeyCredential']> {
  // Trust boundary: the service makes the options for this function (WebAuthn Level 3 §5.1.9), and the browser the credential for the service.
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return credential.toJSON() as components['schemas']['PasskeyCredential']
}

/** Makes a passkey by the browser's own dialog. Throws a `DOMException` where the user cancels it. */
export async function makePasskey(
  options: components['schemas']['PasskeyCreation']['options'],
): Promise<components['schemas']['NewPasskeyCredential']> {
  // Trust boundary: as for `askForPasskey` (WebAuthn Level 3 §5.1.8).
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  return credential.toJSON() as components['schemas']['NewPasskeyCredential']
}
