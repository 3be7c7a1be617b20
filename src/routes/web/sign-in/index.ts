import { Hono } from 'hono'
import type { Web } from '../session.ts'
import { passkeyOptions } from './passkeys.ts'
import { providerPages } from './providers.tsx'
import { setUpPage } from './set-up.tsx'
import { signInPage } from './sign-in.tsx'
import { signOutPage } from './sign-out.tsx'
import { signUpPage } from './sign-up.tsx'

/** How people come in and leave. */
export const signInPages = new Hono<Web>()

signInPages.route('/set-up', setUpPage)
signInPages.route('/sign-up', signUpPage)
signInPages.route('/sign-in/with', providerPages)
signInPages.route('/sign-in', signInPage)
signInPages.route('/sign-out', signOutPage)
signInPages.route('/passkeys', passkeyOptions)
