import { Hono } from 'hono'
import type { Web } from '../session.ts'
import { accountPage } from './account.tsx'
import { activityPage } from './activity.tsx'
import { limitsPage } from './limits.tsx'
import { sessionsPage } from './sessions.tsx'
import { tokensPage } from './tokens.tsx'

/** What a person sees and changes of their own account. */
export const accountPages = new Hono<Web>()

accountPages.route('/account', accountPage)
accountPages.route('/tokens', tokensPage)
accountPages.route('/sessions', sessionsPage)
accountPages.route('/activity', activityPage)
accountPages.route('/limits', limitsPage)
