import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchProduct, sendingAccount, startCampaign } from '#test/full-stack.ts'
import type { Outcome } from '../message/response-classifier.ts'
import { createFailureState, reactToOutcome } from './auto-pause.ts'

// The product runs without a worker, because the tests report the outcomes.
const product = await launchProduct({ env: { ROLE: 'http' } })

const ACCEPTED: Outcome = { kind: 'accepted', wamid: 'wamid.1', isInQualityCheck: false, waId: null }
const refusals = (count: number, code: number, repeats = true): Outcome[] =>
	Array.from({ length: count }, () => ({ kind: 'failed', code, error: 'Refused', optOut: false, repeats }))

/** Creates a campaign that is being sent. `react` handles outcomes of its messages and returns the status of the campaign. */
async function sendingCampaign() {
	const { db } = product
	const { notify } = product.process.context
	const sender = await sendingAccount(product, { contacts: 1 })
	const accountId = sender.accountId
	const campaignId = await startCampaign(product, sender)
	const resume = () =>
		db`update campaigns set status = 'processing' where account_id = ${accountId} and id = ${campaignId}`
	await resume()
	const failures = createFailureState()
	const place = { batch: 1, campaignId, isSingle: false, seq: 1, number: '919800000001', mergeValues: null }
	const message = { ...place, attempts: 0, refusedBy: null, isOptedOut: false }
	return {
		resume,
		async react(outcomes: Outcome[], sentAtMs = performance.now()) {
			for (const outcome of outcomes)
				await reactToOutcome({ db, notify }, accountId, { message, sentAtMs, outcome, failures })
			const [row] = await db<{ status: string }[]>`
				select status from campaigns where account_id = ${accountId} and id = ${campaignId}
			`
			return row?.status
		},
	}
}

test('ten refusals in a row with one code pause the campaign, and fewer, or with another outcome in between, do not', async () => {
	const { react } = await sendingCampaign()
	assert.equal(await react([...refusals(9, 132000), ACCEPTED]), 'processing')
	assert.equal(await react([...refusals(9, 132000), ...refusals(9, 132012)]), 'processing')
	assert.equal(await react(refusals(20, 131026, false)), 'processing')
	assert.equal(await react(refusals(10, 132000)), 'paused')
})

test('refusals of messages that were sent before the pause do not pause the campaign again after it was resumed', async () => {
	const { react, resume } = await sendingCampaign()
	const sentAtMs = performance.now()
	assert.equal(await react(refusals(10, 132000), sentAtMs), 'paused')
	await resume()
	assert.equal(await react(refusals(10, 132000), sentAtMs), 'processing')
	assert.equal(await react([{ kind: 'campaign', code: 132015, error: 'Paused' }], sentAtMs), 'processing')
	assert.equal(await react([{ kind: 'campaign', code: 132015, error: 'Paused' }]), 'paused')
})
