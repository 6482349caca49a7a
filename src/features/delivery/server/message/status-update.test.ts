import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatusUpdates } from './status-update.ts'

/** Seconds since 1970. */
const DAY_AGO = Math.floor(Date.now() / 1000) - 86_400
const REPORT = { id: 'wamid.1', status: 'failed', timestamp: String(DAY_AGO), recipient_id: '919810000001' }

const read = (status: object) => readStatusUpdates([status])[0]

test('readStatusUpdates returns `read` for a voice message that was played', () => {
	const statusUpdate = read({ ...REPORT, status: 'played' })
	assert.deepEqual(
		[statusUpdate?.status, statusUpdate?.errorCode, statusUpdate?.at.getTime()],
		['read', null, DAY_AGO * 1000],
	)
})

test('readStatusUpdates reads the pricing of an update, and null without one', () => {
	const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
	assert.deepEqual(read({ ...REPORT, status: 'sent', pricing })?.pricing, { type: 'regular', category: 'utility' })
	assert.equal(read({ ...REPORT, status: 'sent' })?.pricing, null)
})

test('readStatusUpdates leaves out a status update without a wamid or with an unknown status', () => {
	assert.deepEqual(readStatusUpdates([{ ...REPORT, id: undefined, status: 'sent' }]), [])
	for (const status of ['deleted', 'warning', 'constructor', undefined])
		assert.deepEqual(readStatusUpdates([{ ...REPORT, status }]), [], String(status))
})

test('readStatusUpdates gives a status update the present time when its own is invalid, in the future or years old', () => {
	assert.equal(read(REPORT)?.at.getTime(), DAY_AGO * 1000)
	const before = Date.now()
	const [ahead, past] = [DAY_AGO + 5 * 366 * 86_400, DAY_AGO - 2 * 366 * 86_400]
	for (const timestamp of [
		ahead,
		past,
		DAY_AGO + 90_000,
		'1790000000000',
		'1e300',
		'Infinity',
		'-1',
		'soon',
		null,
		undefined,
	]) {
		const at = read({ ...REPORT, timestamp })?.at.getTime() ?? 0
		assert.ok(at >= before && at <= Date.now(), String(timestamp))
	}
})

test('readStatusUpdates removes NUL from texts and replaces half a surrogate pair, which the database would refuse', () => {
	const cut = { id: 'wamid.\ud83d', recipient_id: 919810000001, errors: [{ code: 131026, title: 'Gone \0\ud83d' }] }
	const statusUpdate = read({ ...REPORT, ...cut })
	assert.deepEqual(
		[statusUpdate?.wamid, statusUpdate?.recipient, statusUpdate?.error],
		['wamid.\ufffd', '919810000001', 'Gone \ufffd'],
	)
	const long = read({ ...REPORT, errors: [{ code: 1, title: `${'x'.repeat(499)}😀` }] })
	assert.ok(long?.error?.isWellFormed())
})
