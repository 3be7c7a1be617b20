import { Hono } from 'hono'
import type { Web } from '../../web/session.ts'
import { apps } from './apps.tsx'
import { connect } from './connect.tsx'
import { consent } from './consent.tsx'

/** The pages about AI apps: connecting one, allowing it, ending it. */
export const appPages = new Hono<Web>()

appPages.route('/', consent)
appPages.route('/', apps)
appPages.route('/', connect)
