// Passkeys in the browser. The package is loaded when a passkey is used, not with the page.

import { session } from './session.ts'

/** Lets the user choose one of their passkeys, and returns its response. */
export async function readPasskey(): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { public_key } = await session.passkeyOptions()
  return explainFailure(() => startAuthentication({ optionsJSON: public_key as never }))
}

/** Creates a passkey for the options of the server. */
export async function createPasskey(public_key: unknown): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return explainFailure(() => startRegistration({ optionsJSON: public_key as never }))
}

async function explainFailure(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    const { name } = error as Error
    if (name === 'InvalidStateError') throw new Error('This device already has a passkey for you.')
    if (name === 'NotAllowedError') throw new Error('No passkey was used. Try again.')
    throw new Error('This browser could not use a passkey. Use another way to log in.')
  }
}
