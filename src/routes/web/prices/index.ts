import { Hono } from 'hono'
import type { Web } from '../session.ts'
import { offerPages } from './offer.tsx'
import { pricePages } from './prices.tsx'

/** What makers ask for their tools, and where others take it. */
export const pricing = new Hono<Web>()

pricing.route('/prices', pricePages)
pricing.route('/offers', offerPages)
