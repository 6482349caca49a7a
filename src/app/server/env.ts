import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'
import { isGstin, plainGstin } from '#lib/gstin.ts'
import { addressesOf } from '#lib/server/db/hosts/database-hosts.ts'
import { isLoopback } from '#lib/server/http/network.ts'
import { findMisfits, paymentVariables } from './payment-env.ts'

const MAX_PORT = 65_535
const integer = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback)
const rupees = (fallback: string) =>
	z
		.string()
		.regex(/^\d+(\.\d{1,2})?$/, 'must be rupees such as 0.80')
		.default(fallback)
const flag = z
	.enum(['0', '1'])
	.default('0')
	.transform((value) => value === '1')

/** Comma-separated addresses and networks of TRUST_PROXY. */
const proxies = z
	.string()
	.default('loopback')
	.transform((text) => text.split(',').map((address) => address.trim()))
	.refine(
		(addresses) => addresses.every(isProxy),
		'must be addresses such as 10.0.0.5 or networks such as 10.0.0.0/8, between commas, or loopback',
	)

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

function isProxy(address: string): boolean {
	if (NAMED_NETWORKS.includes(address)) return true
	const [host = '', bits, ...rest] = address.split('/')
	const version = isIP(host)
	if (version === 0 || rest.length > 0) return false
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Lines of an address, separated by | or \n. */
const addressLines = z
	.string()
	.transform((text) =>
		text
			.split(/\\n|[|\n]/)
			.map((line) => line.trim())
			.filter(Boolean)
			.join('\n'),
	)
	.default('')

/**
 * Returns true for an address that may carry passwords, tokens and mail links: in production https, or http on this
 * machine only.
 */
function isSafeAddress(env: { NODE_ENV: string; HOST: string }, address: string | undefined): boolean {
	if (env.NODE_ENV !== 'production' || address?.startsWith('https:')) return true
	return isLoopback(address ? new URL(address).hostname : env.HOST)
}

const ADDRESS_PROBLEM =
	'must be the https address at which people and Meta reach this server, such as https://whatsapp.example.com'

/** Reports the fault of an address even when other variables are invalid, so that one error names all faults. */
const unlessNamed = (name: 'PUBLIC_URL' | 'LINK_URL') => ({
	path: [name],
	error: ADDRESS_PROBLEM,
	when: ({ issues }: { issues: readonly { path?: PropertyKey[] }[] }) => issues.every(({ path }) => path?.[0] !== name),
})

const secretKey = z
	.base64()
	.transform((text) => Buffer.from(text, 'base64'))
	.refine((key) => key.length === 32, 'must be 32 bytes in base64 (make one with: openssl rand -base64 32)')

const databaseUrl = z.string().superRefine((url, context) => {
	try {
		addressesOf(url)
	} catch (error) {
		context.addIssue({ code: 'custom', message: (error as Error).message })
	}
})

const gstin = z
	.string()
	.transform(plainGstin)
	.refine(
		(text) => text === '' || isGstin(text),
		'must be a GSTIN such as 27AAPFU0939F1ZV: 15 characters, of which the last follows from the others',
	)
	.default('')

const MAX_CONTACT_LENGTH = 120

/** A name with a phone number or email address, for one line of a screen. */
const supportContact = z
	.string()
	.trim()
	.refine(
		(text) => text.length <= MAX_CONTACT_LENGTH && !/[\p{Cc}\u2028\u2029]/u.test(text),
		`must be one line of at most ${MAX_CONTACT_LENGTH} characters, such as Ravi, +91 98765 43210`,
	)
	.transform((text) => text || null)
	.default(null)

const Env = z
	.object({
		NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
		PORT: z.coerce.number().int().min(0).max(MAX_PORT).default(3000),
		HOST: z.string().default('127.0.0.1'),
		PUBLIC_URL: z.url().optional(),
		// Separate domain for links whose clicks are counted.
		LINK_URL: z.url({ protocol: /^https?$/ }).optional(),
		ROLE: z.enum(['all', 'http', 'worker']).default('all'),
		TRUST_PROXY: proxies,
		DATA_DIR: z
			.string()
			.default('.data')
			.transform((folder) => resolve(folder)),
		DATABASE_URL: databaseUrl.optional(),
		LISTEN_URL: databaseUrl.optional(),
		STORAGE_URL: z
			.string()
			.refine(
				(url) => !url.includes('://') || /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w-][\w.-]*)*\/?$/.test(url),
				'must be a folder, or a bucket such as s3://uploads/whatsapp',
			)
			.optional(),
		S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
		AWS_REGION: z.string().default('ap-south-1'),
		SECRET_KEY: secretKey,
		SECRET_KEYS_OLD: z
			.string()
			.default('')
			.transform((text) => text.split(',').filter(Boolean))
			.pipe(z.array(secretKey)),
		ADMIN_EMAIL: z.email().optional(),
		ADMIN_PASSWORD: z.string().min(6).optional(),
		GRAPH_URL: z.url().default('https://graph.facebook.com'),
		GRAPH_VERSION: z
			.string()
			.regex(/^v\d+\.\d+$/)
			.default('v25.0'),
		META_APP_SECRET: z.string().optional(),
		META_APP_VERIFY_TOKEN: z.string().optional(),
		ALLOW_UNSIGNED_WEBHOOKS: flag,
		SENDING: z.enum(['on', 'off']).default('on'),
		ALLOW_PRIVATE_TARGETS: flag,
		REQUIRE_ADMIN_TOTP: flag,
		PASSWORD_POLICY: z.enum(['specified', 'strict']).default('specified'),
		SMTP_URL: z.url().optional(),
		MAIL_FROM: z.string().default('WhatsApp Bulk Message <no-reply@localhost>'),
		SUPPORT_CONTACT: supportContact,
		LANDING: z.enum(['redirect', 'page']).default('redirect'),
		DEFAULT_MARKETING_PRICE: rupees('1.00'),
		DEFAULT_UTILITY_PRICE: rupees('0.30'),
		ISSUER_NAME: z.string().default('WhatsApp Bulk Message'),
		ISSUER_ADDRESS: addressLines,
		ISSUER_GSTIN: gstin,
		...paymentVariables,
		UNKNOWN_AFTER: integer(900, 1),
		MAX_UNREPLICATED_S: z.coerce.number().int().min(1).optional(),
		// Hours without use after which a session ends. Less than a week would end sessions that are remembered for 30 days
		// and used on weekends only.
		SESSION_IDLE_HOURS: integer(7 * 24, 1),
		METRICS_TOKEN: z.string().min(16).optional(),
		API_DOCS: z.enum(['on', 'off']).default('on'),
		// Concurrent calls per account and process. A chat message waits some 0.9 s for WhatsApp's answer: with fewer, a few
		// agents would block all screens.
		ACCOUNT_CALLS: integer(6, 1),
		ACCOUNT_STREAMS: integer(60, 1),
		ACCOUNT_UPLOADS: integer(3, 1),
		ACCOUNT_EXPORTS: integer(2, 1),
		// Limits of stored data per account.
		ACCOUNT_CONTACTS: integer(2_000_000, 1),
		ACCOUNT_STORAGE_MB: integer(10_240, 1),
		// Retention of finished data; 0 means forever.
		KEEP_MESSAGES_MONTHS: integer(24),
		KEEP_CHATS_MONTHS: integer(24),
		KEEP_NOTIFICATIONS_DAYS: integer(90),
		KEEP_DELIVERIES_DAYS: integer(30),
		KEEP_SIGN_INS_DAYS: integer(90),
		// Eight years, as India requires for books of account.
		KEEP_AUDIT_MONTHS: integer(96).refine(
			(months) => months === 0 || months >= 12,
			'must be 12 or more, or 0 for ever',
		),
		// More than 30 days, since refunds of undelivered messages take 30.
		KEEP_ACCOUNT_DAYS: integer(90).refine((days) => days === 0 || days > 30, 'must be 31 or more, or 0 for ever'),
		SLOW_STATEMENT_MS: integer(1000, 1),
		LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
	})
	.refine((env) => isSafeAddress(env, env.PUBLIC_URL), unlessNamed('PUBLIC_URL'))
	.refine((env) => env.LINK_URL === undefined || isSafeAddress(env, env.LINK_URL), unlessNamed('LINK_URL'))
	.refine((env) => isSafeAddress(env, env.RAZORPAY_URL), { path: ['RAZORPAY_URL'], error: 'must be an https address' })
	.check(({ value, issues }) => {
		for (const { name, message } of findMisfits(value))
			issues.push({ code: 'custom', input: value, path: [name], message })
	})
	.transform((env) => ({ ...env, PUBLIC_URL: env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}` }))

export type Env = z.output<typeof Env>

/**
 * Returns advice for the log of a web server whose counted links begin with the host of an https PUBLIC_URL; null for
 * any other process.
 */
export function linkAdvice({
	ROLE,
	PUBLIC_URL,
	LINK_URL,
}: Pick<Env, 'ROLE' | 'PUBLIC_URL' | 'LINK_URL'>): string | null {
	const hasOwnHost = LINK_URL !== undefined && new URL(LINK_URL).hostname !== new URL(PUBLIC_URL).hostname
	if (ROLE === 'worker' || hasOwnHost || !PUBLIC_URL.startsWith('https:')) return null
	return `${LINK_URL ? 'LINK_URL has the host of PUBLIC_URL' : 'LINK_URL is not set'}: links whose clicks are counted begin with the product's own address, and an abused one harms its name. A second domain for LINK_URL is advised`
}

export const ENV_NAMES: readonly string[] = Object.keys(Env.in.shape)

/** Longest value in characters: far above any real setting, and short enough for every check. */
const MAX_VALUE_LENGTH = 4096

/** Reads the configuration; throws one error that names every missing or invalid variable. */
export function readEnv(variables: NodeJS.ProcessEnv = process.env): Env {
	const tooLong = ENV_NAMES.filter((name) => (variables[name]?.length ?? 0) > MAX_VALUE_LENGTH)
	if (tooLong.length > 0)
		throw new Error(`Too long, with more than ${MAX_VALUE_LENGTH} characters: ${tooLong.join(', ')}`)
	const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
	const result = Env.safeParse(filled)
	if (result.success) return result.data
	const problems = result.error.issues.map((issue) => {
		const name = issue.path.join('.')
		return `  ${name}: ${filled[name] === undefined && issue.code !== 'custom' ? 'is required' : issue.message}`
	})
	throw new Error(`The configuration cannot be used:\n${problems.join('\n')}`)
}

/** Reads the configuration for a program; prints the errors in plain lines, without a stack trace, and exits. */
export function readEnvOrExit(): Env {
	try {
		return readEnv()
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n`)
		process.exit(1)
	}
}
