import { HOUR_MS } from '#lib/durations.ts'
import type { AccountId } from '#lib/server/db.ts'
import type { Product } from '#test/full-stack.ts'

/** Turns off automatic reviews, so that a test decides when a template is reviewed. */
export async function holdReviews({ simulator }: Product): Promise<void> {
	await simulator.control.setReviewDelay({ ms: HOUR_MS })
}

/** Approves a template as Meta does. The product learns it by webhook. */
export async function approveTemplate(
	{ db, simulator }: Product,
	{ accountId, name }: { accountId: AccountId; name: string },
): Promise<void> {
	const [sender] = await db<{ wabaId: string }[]>`
		select waba_id as "wabaId" from senders where account_id = ${accountId}
	`
	await simulator.control.reviewTemplate({ waba_id: sender?.wabaId ?? '', name, language: 'en', approved: true })
}
