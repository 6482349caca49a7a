import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { stopAdvice } from '#features/whatsapp/server/codes/codes.ts'
import { transaction } from '#lib/server/db.ts'
import { launchProduct, moneyFindings, sendingAccount, startCampaign } from '#test/full-stack.ts'
import { failureWords } from '../message/failure-words.ts'
import { classifyResponse } from '../message/response-classifier.ts'
import { readStatusUpdates } from '../message/status-update.ts'
import { settleStatusUpdates } from './status-updates.ts'

/**
 * Meta's error codes for messages: HTTP status, outcome of a send, title of the failure, and whether a retry is
 * worthwhile. A status update with such a code fails only its message.
 */
const CODES: readonly [code: number, http: number, outcome: string, title: string, isWorthRetrying: boolean][] = [
	[4, 400, 'retry', 'WhatsApp was too busy', true],
	[80_007, 400, 'retry', 'WhatsApp was too busy', true],
	[130429, 400, 'retry', 'WhatsApp was too busy', true],
	[130429, 429, 'retry', 'WhatsApp was too busy', true],
	[131056, 400, 'retry', 'Too many messages to this person', true],
	[133016, 400, 'failed', 'WhatsApp was too busy', true],
	[1, 400, 'unknown', 'A fault at WhatsApp', true],
	[2, 503, 'unknown', 'A fault at WhatsApp', true],
	[131000, 500, 'unknown', 'A fault at WhatsApp', true],
	[131016, 500, 'unknown', 'A fault at WhatsApp', true],
	[133004, 503, 'unknown', 'A fault at WhatsApp', true],
	[131057, 500, 'unknown', 'A fault at WhatsApp', true],
	[131021, 400, 'failed', 'Your own number', false],
	[131026, 400, 'failed', 'Not reachable on WhatsApp', false],
	[131030, 400, 'failed', 'Not on the list of the test number', false],
	[131047, 400, 'failed', 'The 24 hours for a free reply are over', false],
	[131049, 400, 'failed', 'Held back by WhatsApp', false],
	[131050, 400, 'failed', 'Does not want marketing', false],
	[131051, 400, 'failed', 'This kind of message is not supported', false],
	[131052, 400, 'campaign', 'The picture, video or document could not be used', false],
	[131053, 400, 'campaign', 'The picture, video or document could not be used', false],
	[130403, 400, 'failed', 'You have blocked this person', false],
	[130472, 400, 'failed', 'Part of a WhatsApp experiment', false],
	[130497, 403, 'failed', 'Not allowed in this country', false],
	[131062, 400, 'failed', 'A login code needs a phone number', false],
	[132000, 400, 'failed', 'The values do not fit the template', false],
	[132012, 400, 'failed', 'The values do not fit the template', false],
	[132018, 400, 'failed', 'The values do not fit the template', false],
	[131008, 400, 'failed', 'Something is missing in the message', false],
	[131009, 400, 'failed', 'A value is not valid', false],
	[100, 400, 'failed', 'The message was not accepted', false],
	[132005, 400, 'failed', 'The text is too long', false],
	[135000, 400, 'failed', 'The message was not accepted', false],
	[132001, 404, 'campaign', 'The template does not exist', false],
	[132007, 400, 'campaign', 'The template cannot be used', true],
	[132015, 400, 'campaign', 'The template cannot be used', true],
	[132016, 400, 'campaign', 'The template cannot be used', true],
	[132068, 400, 'campaign', 'The form in the template is blocked', true],
	[132069, 400, 'campaign', 'The form in the template is blocked', true],
	[131055, 400, 'campaign', 'Not a marketing template', true],
	[131061, 400, 'campaign', 'Marketing messages are switched off', true],
	[131063, 400, 'campaign', 'Marketing messages are switched off', true],
	[134100, 400, 'campaign', 'Not a marketing template', true],
	[134101, 400, 'campaign', 'The template is being prepared', true],
	[134102, 500, 'campaign', 'Marketing messages are switched off', true],
	[131064, 400, 'campaign', 'Templates in the wrong category', true],
	[0, 401, 'sender', 'The connection to WhatsApp has expired', true],
	[190, 401, 'sender', 'The connection to WhatsApp has expired', true],
	[3, 500, 'sender', 'The WhatsApp account may not send', true],
	[10, 403, 'sender', 'The WhatsApp account may not send', true],
	[200, 403, 'sender', 'The WhatsApp account may not send', true],
	[299, 403, 'sender', 'The WhatsApp account may not send', true],
	[131005, 403, 'sender', 'The WhatsApp account may not send', true],
	[33, 400, 'sender', 'The WhatsApp account may not send', true],
	[368, 403, 'sender', 'Blocked for a while', true],
	[131031, 403, 'sender', 'The WhatsApp account may not send', true],
	[131037, 400, 'sender', 'The display name is not approved', true],
	[131042, 400, 'sender', 'A payment problem at WhatsApp', true],
	[131045, 500, 'sender', 'The WhatsApp account may not send', true],
	[131048, 400, 'sender', 'Too many people blocked or reported you', true],
	[133010, 400, 'sender', 'The WhatsApp account may not send', true],
	[134011, 400, 'sender', 'Payment terms are not accepted', true],
	[987_654, 400, 'failed', 'Refused by WhatsApp', false],
	[987_655, 500, 'unknown', 'Refused by WhatsApp', false],
]

const product = await launchProduct({ env: { ROLE: 'http' } })

suite('each of Meta’s error codes', () => {
	for (const [code, http, outcome, title, isWorthRetrying] of CODES) {
		test(`${code} with HTTP ${http} gives the outcome ${outcome} and the words "${title}"`, () => {
			const body = { error: { code, message: `(#${code}) refused` } }
			assert.equal(classifyResponse({ status: http, body }, 1).kind, outcome)
			const words = failureWords(code)
			assert.deepEqual([words.title, words.isWorthRetrying], [title, isWorthRetrying])
			for (const text of [words.meaning, words.advice]) assert.match(text, /^[A-Z].{15,}\.$/)
			if (['campaign', 'sender'].includes(outcome)) assert.match(stopAdvice({ code, error: '' }), /^[A-Z].{15,}\.$/)
		})
	}

	test('a status update with each code fails only its message and releases its price, and 131050 opts out the number of the message', async () => {
		const codes = [...new Set(CODES.map(([code]) => code))]
		const sender = await sendingAccount(product, { contacts: codes.length + 1 })
		const campaignId = await startCampaign(product, sender)
		const accountId = sender.accountId
		const statuses = codes.map((code, at) => ({
			id: `wamid.${at}`,
			status: 'failed',
			timestamp: '1790000000',
			recipient_id: '919999999999',
			biz_opaque_callback_data: `campaign:${campaignId}:${at + 1}`,
			errors: [{ code, title: 'A title', error_data: { details: 'In Meta’s words' } }],
		}))
		const settled = async (list: unknown[]) => {
			const optedOut: string[] = []
			const onOptedOut = async (numbers: string[]) => void optedOut.push(...numbers)
			const given = { statusUpdates: readStatusUpdates(list), notify: async () => {}, onOptedOut }
			await transaction(product.db, (sql) => settleStatusUpdates(sql, accountId, given))
			return optedOut
		}
		const optedOut = await settled(statuses)
		const rows = await product.db<{ code: number; status: string; number: string }[]>`
			select error_code as code, status, number from campaign_messages
			where account_id = ${accountId} and campaign_id = ${campaignId} order by seq
		`
		assert.deepEqual(
			rows.map(({ code, status }) => [code, status]),
			[...codes.map((code) => [code, 'failed']), [null, 'pending']],
		)
		const [campaign] = await product.db<{ status: string }[]>`select status from campaigns where id = ${campaignId}`
		assert.notEqual(campaign?.status, 'paused')
		// The numbers of the messages, not the recipient that the status updates name.
		assert.deepEqual(
			optedOut,
			rows.flatMap(({ code, number }) => (code === 131050 ? [number] : [])),
		)
		const early = {
			...statuses[0],
			id: 'wamid.early',
			recipient_id: '919800000099',
			biz_opaque_callback_data: undefined,
		}
		assert.deepEqual(await settled([{ ...early, status: 'failed', errors: [{ code: 131050 }] }]), ['919800000099'])
		const unnamed = { id: 'wamid.0', status: 'delivered', timestamp: '1790000000', recipient_id: `+${rows[0]?.number}` }
		await settled([unnamed])
		const [late] = await product.db<{ status: string }[]>`
			select status from campaign_messages where account_id = ${accountId} and campaign_id = ${campaignId} and seq = 1
		`
		assert.equal(late?.status, 'delivered')
		assert.deepEqual(await moneyFindings(product.db), [])
	})
})
