import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readReports } from './status-report.ts'

/** Seconds since 1970. */
const DAY_AGO = Math.floor(Date.now() / 1000) - 86_400
const REPORT = { id: 'wamid.1', status: 'failed', timestamp: String(DAY_AGO), recipient_id: '919810000001' }

const read = (status: object) => readReports([status])[0]

test('readReports returns `read` for a voice message that was played', () => {
	const report = read({ ...REPORT, status: 'played' })
	assert.deepEqual([report?.status, report?.errorCode, report?.at.getTime()], ['read', null, DAY_AGO * 1000])
})

test('readReports reads the pricing of an update, and null without one', () => {
	const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
	assert.deepEqual(read({ ...REPORT, status: 'sent', pricing })?.pricing, { type: 'regular', category: 'utility' })
	assert.equal(read({ ...REPORT, status: 'sent' })?.pricing, null)
})

test('readReports leaves out a status update without a wamid or with an unknown status', () => {
	assert.deepEqual(readReports([{ ...REPORT, id: undefined, status: 'sent' }]), [])
	for (const status of ['deleted', 'warning', 'constructor', undefined])
		assert.deepEqual(readReports([{ ...REPORT, status }]), [], String(status))
})

test('readReports gives a status update the present time when its own is invalid, in the future or years old', () => {
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

test('readReports removes NUL from texts and replaces half a surrogate pair, which the database would refuse', () => {
	const cut = { id: 'wamid.\ud83d', recipient_id: 919810000001, errors: [{ code: 131026, title: 'Gone \0\ud83d' }] }
	const report = read({ ...REPORT, ...cut })
	assert.deepEqual([report?.wamid, report?.recipient, report?.error], ['wamid.\ufffd', '919810000001', 'Gone \ufffd'])
	const long = read({ ...REPORT, errors: [{ code: 1, title: `${'x'.repeat(499)}😀` }] })
	assert.ok(long?.error?.isWellFormed())
})
