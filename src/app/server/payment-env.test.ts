import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEnv } from './env.ts'

const SECRET_KEY = Buffer.alloc(32, 1).toString('base64')
const RAZORPAY = { RAZORPAY_KEY_ID: 'key', RAZORPAY_KEY_SECRET: 'secret', RAZORPAY_WEBHOOK_SECRET: 'secret' }
const ISSUER_GSTIN = '27AAPFU0939F1ZV'

/** Returns the error of variables beside the required ones; the empty text if they are accepted. */
function errorOf(variables: Record<string, string>): string {
	try {
		readEnv({ SECRET_KEY, ...variables })
		return ''
	} catch (error) {
		return (error as Error).message
	}
}

test('readEnv accepts no variable of payments, all three of Razorpay, and GST with a GSTIN, at the limits of each', () => {
	assert.equal(errorOf({}), '')
	assert.equal(errorOf(RAZORPAY), '')
	assert.equal(errorOf({ GST_PERCENT: '28', ISSUER_GSTIN }), '')
	assert.equal(errorOf({ PAYMENT_MIN: '5', PAYMENT_MAX: '5', PAYMENT_PRESETS: '5' }), '')
	assert.deepEqual(readEnv({ SECRET_KEY, PAYMENT_PRESETS: ' 500 , 1000' }).PAYMENT_PRESETS, [500, 1000])
})

test('readEnv refuses variables of payments that are wrong or contradict others, and names each', () => {
	const refused: [variables: Record<string, string>, pattern: RegExp][] = [
		[{ RAZORPAY_KEY_ID: 'key' }, /RAZORPAY_KEY_SECRET: is required with the other two/],
		[{ ...RAZORPAY, RAZORPAY_WEBHOOK_SECRET: '' }, /RAZORPAY_WEBHOOK_SECRET: is required with the other two/],
		[{ ...RAZORPAY, RAZORPAY_URL: 'ftp://razorpay.example' }, /RAZORPAY_URL/],
		[
			{ PAYMENT_MIN: '500', PAYMENT_MAX: '499', PAYMENT_PRESETS: '500' },
			/PAYMENT_MIN: must be at most PAYMENT_MAX, which is 499/,
		],
		[{ PAYMENT_MIN: '0' }, /PAYMENT_MIN/],
		[{ PAYMENT_MAX: '100.5' }, /PAYMENT_MAX/],
		[{ PAYMENT_PRESETS: '99,500' }, /PAYMENT_PRESETS: must be between PAYMENT_MIN and PAYMENT_MAX, 100 to 100000/],
		[{ PAYMENT_PRESETS: '500;1000' }, /PAYMENT_PRESETS: must be whole rupees between commas/],
		[
			{ PAYMENT_PRESETS: Array.from({ length: 9 }, () => '500').join(',') },
			/PAYMENT_PRESETS: must be at most 8 amounts/,
		],
		[{ GST_PERCENT: '18' }, /GST_PERCENT: needs ISSUER_GSTIN/],
		[{ GST_PERCENT: '28.01', ISSUER_GSTIN }, /GST_PERCENT: must be at most 28/],
		[{ GST_PERCENT: '18%', ISSUER_GSTIN }, /GST_PERCENT: must be a percentage such as 18/],
		[{ GST_SAC: '998' }, /GST_SAC: must be 4 to 8 digits/],
	]
	for (const [variables, pattern] of refused) assert.match(errorOf(variables), pattern, JSON.stringify(variables))
})
