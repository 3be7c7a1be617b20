import { Hono } from 'hono'
import type { Web } from '../session.ts'
import { signInPage } from './sign-in.tsx'
import { signOutPage } from './sign-out.tsx'
import { signUpPage } from './sign-up.tsx'

/** How people come in and leave. */
export const signInPages = new Hono<Web>()

signInPages.route('/sign-up', signUpPage)
signInPages.route('/sign-in', signInPage)
signInPages.route('/sign-out', signOutPage)
