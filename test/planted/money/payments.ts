import type { PlantedFault } from '../fault.ts'

const checkQueries = 'src/features/payments/server/check-queries.ts'
const judge = 'src/features/payments/server/judge.ts'
const owed = 'src/features/wallet/server/owed.ts'
const provider = 'src/features/payments/server/provider/razorpay.ts'
const providerTest = 'src/features/payments/server/provider/razorpay.test.ts'
const settle = 'src/features/payments/server/settle.ts'
const settleTest = 'src/features/payments/server/settle.test.ts'
const refundsTest = 'src/features/payments/server/refunds.test.ts'
const callsTest = 'test/payment-calls.test.ts'
const historiesTest = 'test/money-histories.test.ts'

/** Faults in crediting online payments, and in taking back refunded and disputed payments. */
export const PAYMENT_FAULTS: readonly PlantedFault[] = [
	{
		name: 'any paid amount is credited in full',
		file: judge,
		text: 'paise === totalPaise && currency === CURRENCY',
		replacement: 'currency === CURRENCY && paise > 0 && totalPaise > 0',
		tests: [historiesTest],
	},
	{
		name: 'a payment in another currency is credited',
		file: judge,
		text: 'paise === totalPaise && currency === CURRENCY',
		replacement: "paise === totalPaise && currency !== ''",
		tests: [historiesTest],
	},
	{
		name: 'each check credits anew',
		file: settle,
		text: 'reference: `payment:${id}`,',
		replacement: 'reference: `payment:${id}:${Date.now()}`,',
		tests: [historiesTest],
	},
	{
		name: 'a refund of a part that was never credited is returned with the credit',
		file: settle,
		text: 'payment.creditedBy === null ? 0 : payment.refundedPaise',
		replacement: 'payment.refundedPaise',
		tests: [refundsTest, historiesTest],
	},
	{
		name: 'an overtaken reading undoes a refund',
		file: settle,
		text: 'if (hasChanged(before, payment)) {',
		replacement: 'if (hasChanged(payment, payment)) {',
		tests: [settleTest, historiesTest],
	},
	{
		name: 'a check counts as made before its transaction commits',
		file: settle,
		text: 'await transaction(db, async (sql) => {',
		replacement:
			'await db`update payments set check_at = null where account_id = ${accountId} and id = ${id}`\n\tawait transaction(db, async (sql) => {',
		tests: [historiesTest],
	},
	{
		name: 'a lost dispute or refund has no credit note',
		file: settle,
		text: "await issueTaxNote(sql, accountId, { ...note, kind: 'credit', reason: notes })",
		replacement: '',
		tests: [refundsTest, historiesTest],
	},
	{
		name: 'a refund that did not reach the payer has no debit note',
		file: settle,
		text: "await issueTaxNote(sql, accountId, { ...note, kind: 'debit', reason: notes })",
		replacement: '',
		tests: [refundsTest],
	},
	{
		name: 'a note rounds each refund on its own',
		file: 'src/features/payments/rules.ts',
		text: 'creditPaise: more.creditPaise - less.creditPaise,',
		replacement: 'creditPaise: takenBackOf(amounts, Math.abs(toPaise - fromPaise)),',
		tests: ['src/features/payments/rules.test.ts', refundsTest],
	},
	{
		name: 'a note omits the paisa that two halves of a tax leave',
		file: 'src/features/payments/rules.ts',
		text: 'const roundingPaise = taxPaise - igstPaise - 2 * halfPaise',
		replacement: 'const roundingPaise = 0',
		tests: ['src/features/payments/rules.test.ts', refundsTest],
	},
	{
		name: 'a check reads disputes from a listing that is older than one it has seen',
		file: settle,
		text: "claim.cause === 'poll' && before.refundedPaise === 0",
		replacement: "claim.cause === 'poll'",
		tests: [refundsTest],
	},
	{
		name: 'an account that owes money gets a hold',
		file: 'src/features/wallet/server/ledger.ts',
		text: 'and (owed_paise = 0 or ${!posting.refusesOwing})',
		replacement: '',
		tests: ['src/features/wallet/server/ledger.test.ts'],
	},
	{
		name: 'what the wallet cannot give back is forgotten',
		file: owed,
		text: 'if (owedPaise > 0) await addOwed(sql, accountId, owedPaise)',
		replacement: '',
		tests: [refundsTest, historiesTest],
	},
	{
		name: 'a debt stays after it was settled',
		file: owed,
		text: 'await addOwed(sql, accountId, -settledPaise)',
		replacement: '',
		tests: [refundsTest, historiesTest],
	},
	{
		name: 'a check that was asked for during another one is forgotten',
		file: checkQueries,
		text: 'and id = ${id} and check_at = ${claim.until}',
		replacement: 'and id = ${id} and ${claim.until}::timestamptz is not null',
		tests: [settleTest],
	},
	{
		name: 'failed attempts hide the payment of a link',
		file: provider,
		text: "filter(({ status }) => status !== 'failed')",
		replacement: 'slice(0, MAX_PARTS)',
		tests: [providerTest],
	},
	{
		name: 'a dispute that another one moved onto the next page counts twice',
		file: 'src/features/payments/server/provider/reversed-money.ts',
		text: 'counted.set(item.id, item)',
		replacement: 'counted.set(`${item.id} ${page}`, item)',
		tests: [providerTest],
	},
	{
		name: 'a daily check of an older payment overlooks what went back',
		file: settle,
		text: 'provider.isUntouched({ providerPaymentId, paidAt })',
		replacement: 'paidAt < new Date()',
		tests: [settleTest],
	},
	{
		name: 'any signature of a webhook is accepted',
		file: provider,
		text: '!isSignedBy(webhookSecret, bytes, `sha256=${signature}`)',
		replacement: "signature === ''",
		tests: [callsTest],
	},
	{
		name: 'the return of one payment confirms another',
		file: 'src/features/payments/server/service.ts',
		text: 'signed.reference !== payment.reference || ',
		replacement: '',
		tests: [callsTest],
	},
]
