import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at } from '../columns.ts'

/**
 * What a maker asks for, `price:<handle>/<slug>`. `amount` is in the currency's smallest unit, for one run or one month.
 * A withdrawn price takes no new offers; what was taken of it stays good, so the row stays. `slug` is in lower case.
 */
export const price = sqliteTable(
  'price',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id').notNull(),
    slug: text('slug').notNull(),
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    per: text('per', { enum: ['run', 'month'] }).notNull(),
    created_at: at('created_at').notNull(),
    withdrawn_at: at('withdrawn_at'),
  },
  (t) => [uniqueIndex('price_account_slug').on(t.account_id, t.slug)],
)

/** Which price stands on a tool for all but its maker. No row: it is free. */
export const toolPrice = sqliteTable('tool_price', {
  tool_id: text('tool_id').primaryKey(),
  price_id: text('price_id').notNull(),
})

/** What the maker gave an account by hand: so many runs in all, or time until then. */
export const offer = sqliteTable(
  'offer',
  {
    price_id: text('price_id').notNull(),
    account_id: text('account_id').notNull(),
    runs: integer('runs').notNull().default(0),
    until: at('until'),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.price_id, t.account_id] })],
)

/**
 * What an account paid for, once for each checkout however often and in whatever order it is told of. `quantity` are
 * runs or months; `amount` and `currency` are what was paid in all.
 */
export const payment = sqliteTable(
  'payment',
  {
    checkout_id: text('checkout_id').primaryKey(),
    price_id: text('price_id').notNull(),
    account_id: text('account_id').notNull(),
    quantity: integer('quantity').notNull(),
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    paid_at: at('paid_at').notNull(),
  },
  (t) => [index('payment_offer').on(t.price_id, t.account_id)],
)

/** Every run that was counted off an offer, numbered from 1: the newest number is how many were used. */
export const paidRun = sqliteTable(
  'paid_run',
  {
    price_id: text('price_id').notNull(),
    account_id: text('account_id').notNull(),
    number: integer('number').notNull(),
    task_id: text('task_id').notNull(),
    counted_at: at('counted_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.price_id, t.account_id, t.number] }),
    uniqueIndex('paid_run_task').on(t.task_id),
  ],
)
