import * as z from 'zod'
import { MAX_AMOUNT_PAISE } from '#lib/money.ts'

/** Maximum number of amounts that the form of a payment offers. */
const MAX_PRESETS = 8
const MAX_RUPEES = MAX_AMOUNT_PAISE / 100
/** Highest rate of GST in percent. */
const MAX_GST_PERCENT = 28

const wholeRupees = (fallback: number) => z.coerce.number().int().min(1).max(MAX_RUPEES).default(fallback)

const presets = z
	.string()
	// Aborts, because `findMisfits` reads the numbers.
	.regex(/^\s*\d{1,9}\s*(,\s*\d{1,9}\s*)*$/, {
		error: 'must be whole rupees between commas, such as 500,1000,2000',
		abort: true,
	})
	.default('500,1000,2000,5000')
	.transform((text) => text.split(',').map(Number))
	.refine((amounts) => amounts.length <= MAX_PRESETS, `must be at most ${MAX_PRESETS} amounts`)

const gstPercent = z
	.string()
	.regex(/^\d{1,2}(\.\d{1,2})?$/, 'must be a percentage such as 18')
	.default('0')
	.transform(Number)
	.refine((percent) => percent <= MAX_GST_PERCENT, `must be at most ${MAX_GST_PERCENT}`)

/** Variables of online payments. Without the three secrets of Razorpay, users cannot pay online. */
export const paymentVariables = {
	RAZORPAY_KEY_ID: z.string().optional(),
	RAZORPAY_KEY_SECRET: z.string().optional(),
	RAZORPAY_WEBHOOK_SECRET: z.string().optional(),
	RAZORPAY_URL: z.url({ protocol: /^https?$/ }).default('https://api.razorpay.com'),
	// Rupees that one payment adds to the wallet, before tax.
	PAYMENT_MIN: wholeRupees(100),
	PAYMENT_MAX: wholeRupees(100_000),
	PAYMENT_PRESETS: presets,
	GST_PERCENT: gstPercent,
	// Code of the sold service in the tax invoice.
	GST_SAC: z
		.string()
		.regex(/^\d{4,8}$/, 'must be 4 to 8 digits')
		.default('998413'),
}

const RAZORPAY_SECRETS = ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'] as const

const Variables = z.object(paymentVariables)
export type PaymentEnv = z.output<typeof Variables>

/** A variable that does not fit the others. */
interface Misfit {
	name: keyof PaymentEnv
	message: string
}

/** Returns the variables of payments that contradict each other or other variables. */
export function findMisfits(env: PaymentEnv & { ISSUER_GSTIN: string }): Misfit[] {
	const missing = RAZORPAY_SECRETS.filter((name) => !env[name])
	const misfits: Misfit[] =
		missing.length === RAZORPAY_SECRETS.length
			? []
			: missing.map((name) => ({ name, message: `is required with the other two of ${RAZORPAY_SECRETS.join(', ')}` }))
	const { PAYMENT_MIN: min, PAYMENT_MAX: max } = env
	if (min > max) misfits.push({ name: 'PAYMENT_MIN', message: `must be at most PAYMENT_MAX, which is ${max}` })
	if (env.PAYMENT_PRESETS.some((rupees) => rupees < min || rupees > max))
		misfits.push({ name: 'PAYMENT_PRESETS', message: `must be between PAYMENT_MIN and PAYMENT_MAX, ${min} to ${max}` })
	if (env.GST_PERCENT > 0 && !env.ISSUER_GSTIN)
		misfits.push({
			name: 'GST_PERCENT',
			message: 'needs ISSUER_GSTIN, because only a registered business may charge GST',
		})
	return misfits
}
