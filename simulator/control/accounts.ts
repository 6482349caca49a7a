import { randomBytes, randomInt } from 'node:crypto'
import type { Control, Credentials, NewAccount } from '../control.ts'
import type { NetworkState } from '../network-state.ts'
import { change } from '../network/webhooks/change.ts'
import {
	INDIAN_BILLING,
	PHONE_DEFAULTS,
	businessDefaults,
	type Account,
	type App,
	type Phone,
	type Portfolio,
} from '../state/accounts.ts'
import { countryCodeOf, digitsOf, newObjectId, newToken } from '../state/digits.ts'
import { isTimezoneId } from '../state/time-zones.ts'
import { accountWith, phoneWith } from './lookup.ts'

type AccountControl = Pick<
	Control,
	| 'createAccount'
	| 'setBilling'
	| 'moveAccount'
	| 'subscribe'
	| 'setAppCallback'
	| 'rejectToken'
	| 'setThroughput'
	| 'setPortfolio'
	| 'setHealth'
	| 'setBusiness'
	| 'setPhone'
	| 'setReplies'
>

const DEFAULT_REPLIES = { rate: 0, minMs: 2_000, maxMs: 15_000 }
const EXPIRED = 463

export function accountControl(state: NetworkState): AccountControl {
	const { directory } = state
	return {
		async createAccount(wanted = {}) {
			return createAccount(state, wanted)
		},
		async setBilling({ waba_id, ...billing }) {
			const account = accountWith(state, waba_id)
			if (billing.timezone_id !== undefined && !isTimezoneId(billing.timezone_id))
				throw new Error(`No time zone ${billing.timezone_id}`)
			Object.assign(account.billing, billing)
			directory.saveAccount(account)
		},
		async moveAccount({ waba_id, currency }) {
			return moveAccount(state, accountWith(state, waba_id), currency)
		},
		async subscribe({ waba_id, url }) {
			const account = accountWith(state, waba_id)
			account.subscription = url === null ? null : { override_callback_uri: url }
			directory.saveAccount(account)
		},
		async setAppCallback({ app_id, url }) {
			const app = directory.apps.get(app_id)
			if (!app) throw new Error(`No app ${app_id}`)
			app.callback_url = url
			directory.saveApp(app)
		},
		async rejectToken({ token, subcode = EXPIRED, restore = false }) {
			if (!directory.rejectToken(token, restore ? null : subcode)) throw new Error('No such token')
		},
		async setThroughput({ phone_number_id, level, enforced }) {
			const phone = phoneWith(state, phone_number_id)
			const isUpgraded = level === 'HIGH' && phone.throughput === 'STANDARD'
			phone.throughput = level ?? phone.throughput
			phone.enforce_throughput = enforced ?? phone.enforce_throughput
			directory.savePhone(phone)
			if (isUpgraded) announceUpgrade(state, phone)
		},
		async setPortfolio({ waba_id, portfolio_id, limit }) {
			const account = accountWith(state, waba_id)
			account.portfolio_id = portfolio_id ?? account.portfolio_id
			directory.saveAccount(account)
			if (limit !== undefined) setLimit(state, directory.portfolioOf(account), limit)
		},
		async setHealth({ waba_id, entity = 'WABA', ...problem }) {
			const account = accountWith(state, waba_id)
			const { can_send_message: status, possible_solution = '' } = problem
			if (status === 'AVAILABLE') delete account.health[entity]
			else account.health[entity] = { ...HEALTH_ERROR, can_send_message: status, possible_solution }
			directory.saveAccount(account)
		},
		async setBusiness({ waba_id, ...settings }) {
			const account = accountWith(state, waba_id)
			Object.assign(account, settings)
			directory.saveAccount(account)
		},
		async setPhone({ phone_number_id, ...settings }) {
			const phone = phoneWith(state, phone_number_id)
			Object.assign(phone, settings)
			directory.savePhone(phone)
		},
		async setReplies({ phone_number_id, ...replies }) {
			const phone = phoneWith(state, phone_number_id)
			phone.replies = { ...(phone.replies ?? DEFAULT_REPLIES), ...replies }
			directory.savePhone(phone)
		},
	}
}

const HEALTH_ERROR = { error_code: 141010, error_description: 'The business has not passed the check of WhatsApp.' }

// Sets a portfolio's limit and announces a changed one to the receivers of its accounts.
function setLimit({ directory, traffic }: NetworkState, { id, limit: before }: Portfolio, limit: string): void {
	directory.savePortfolio({ id, limit })
	if (limit === before) return
	const value = {
		max_daily_conversations_per_business: DAILY_LIMITS[limit] ?? limit,
		max_phone_numbers_per_business: 20,
		max_phone_numbers_per_waba: 20,
	}
	for (const account of directory.accounts.values())
		if (account.portfolio_id === id)
			traffic.announce(account, change('business_capability_update', value), { timed: true })
}

const DAILY_LIMITS: Record<string, number> = {
	TIER_250: 250,
	TIER_2K: 2000,
	TIER_10K: 10_000,
	TIER_100K: 100_000,
	TIER_UNLIMITED: -1,
}

// Announces a throughput upgrade to the receiver. Meta uses the webhook field of the phone number's quality for it.
function announceUpgrade({ directory, traffic }: NetworkState, phone: Phone): void {
	const { limit } = directory.portfolioOf(directory.accountOf(phone))
	const value = {
		display_phone_number: phone.digits,
		event: 'THROUGHPUT_UPGRADE',
		current_limit: limit,
		max_daily_conversations_per_business: limit,
	}
	traffic.announce(directory.accountOf(phone), change('phone_number_quality_update', value), { timed: true })
}

function createAccount({ directory }: NetworkState, wanted: NewAccount): Credentials {
	const known = wanted.wabaId === undefined ? undefined : directory.accounts.get(wanted.wabaId)
	const app = appFor(directory.apps.get(known?.app_id ?? wanted.appId ?? ''), wanted)
	const account = known ?? newAccount(app, wanted)
	const phone = account.phones.find((each) => each.id === wanted.phoneNumberId) ?? newPhone(account, wanted)
	const isNewPhone = !account.phones.includes(phone)
	const token = wanted.token ?? account.tokens[0] ?? newToken()
	if (!directory.apps.has(app.id)) directory.saveApp(app)
	if (isNewPhone && directory.phones.has(phone.id))
		throw new Error(`Phone number ${phone.id} belongs to another account`)
	if (isNewPhone) account.phones.push(phone)
	const isNewToken = !account.tokens.includes(token)
	if (isNewToken) account.tokens.push(token)
	if (!known || isNewPhone || isNewToken) directory.saveAccount(account)
	return {
		phone_number_id: phone.id,
		waba_id: account.id,
		access_token: token,
		app_id: app.id,
		app_secret: app.secret,
	}
}

/**
 * Moves the numbers to a new account with copies of the templates. The old account keeps its templates and has no numbers
 * afterwards.
 */
function moveAccount({ directory, templates }: NetworkState, old: Account, currency: string): { waba_id: string } {
	const billing = { ...old.billing, currency }
	const account: Account = { ...old, id: newObjectId(), phones: old.phones, subscription: null, billing }
	for (const phone of account.phones) phone.waba_id = account.id
	old.phones = []
	directory.saveAccount(old)
	directory.saveAccount(account)
	for (const template of templates.of(old.id).toReversed())
		templates.save({ ...template, id: templates.newId(), waba_id: account.id })
	return { waba_id: account.id }
}

function appFor(known: App | undefined, { appId, appSecret, name }: NewAccount): App {
	if (known) return known
	const secret = appSecret ?? randomBytes(16).toString('hex')
	return { id: appId ?? newObjectId(), name: `${name ?? 'Demo'} app`, secret, callback_url: null }
}

function newAccount(app: App, { wabaId, name }: NewAccount): Account {
	const id = wabaId ?? newObjectId()
	return {
		...businessDefaults(id),
		id,
		name: name ?? 'Demo business',
		app_id: app.id,
		tokens: [],
		phones: [],
		subscription: null,
		billing: { ...INDIAN_BILLING },
	}
}

function newPhone(account: Account, { phone, phoneNumberId, throughput }: NewAccount): Phone {
	const first = account.phones[0]
	if (first && phoneNumberId === undefined && phone === undefined) return first
	const digits = phone === undefined ? `9198${randomInt(10_000_000, 99_999_999)}` : digitsOf(phone)
	return {
		...PHONE_DEFAULTS,
		id: phoneNumberId ?? newObjectId(),
		waba_id: account.id,
		digits,
		country: countryCodeOf(digits),
		verified_name: account.name,
		throughput: throughput ?? 'STANDARD',
		quality: 'GREEN',
		enforce_throughput: false,
		enforce_pair_limit: false,
		window: 'webhook',
		allowed_recipients: null,
		replies: null,
		profile: { about: 'Hello!', description: account.name, vertical: 'RETAIL' },
	}
}
