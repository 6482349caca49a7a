import {
	INDIAN_BILLING,
	NO_LIMIT,
	PHONE_DEFAULTS,
	businessDefaults,
	type Account,
	type App,
	type Phone,
	type Portfolio,
	type Token,
} from './accounts.ts'
import type { Journal, JournalRecord } from './journal.ts'

/** Stores apps, portfolios, business accounts, their phone numbers and access tokens. */
export class Directory {
	readonly apps = new Map<string, App>()
	readonly accounts = new Map<string, Account>()
	readonly portfolios = new Map<string, Portfolio>()
	readonly phones = new Map<string, Phone>()
	readonly tokens = new Map<string, Token>()
	readonly #journal: Journal

	constructor(journal: Journal) {
		this.#journal = journal
	}

	saveApp(app: App): void {
		this.apps.set(app.id, app)
		this.#journal.write(['app', app])
	}

	savePortfolio(portfolio: Portfolio): void {
		this.portfolios.set(portfolio.id, portfolio)
		this.#journal.write(['portfolio', portfolio])
	}

	/** Returns the account's portfolio; one that was never stored has no limit. */
	portfolioOf({ portfolio_id: id }: Account): Portfolio {
		return this.portfolios.get(id) ?? { id, limit: NO_LIMIT }
	}

	/** Stores an account with its numbers and tokens. Must be called after every change of one of these. */
	saveAccount(account: Account): void {
		this.accounts.set(account.id, account)
		for (const phone of account.phones) this.phones.set(phone.id, phone)
		for (const token of account.tokens) {
			const known = this.tokens.get(token)
			if (known) known.accounts.add(account.id)
			else this.tokens.set(token, newTokenState(account))
		}
		this.#journal.write(['account', account])
	}

	savePhone(phone: Phone): void {
		this.saveAccount(this.accountOf(phone))
	}

	rejectToken(text: string, subcode: number | null): boolean {
		const token = this.tokens.get(text)
		if (!token) return false
		token.rejected_subcode = subcode
		this.#journal.write(['token', text, subcode])
		return true
	}

	accountOf(phone: Phone): Account {
		const account = this.accounts.get(phone.waba_id)
		if (!account) throw new Error(`Phone number ${phone.id} belongs to no account`)
		return account
	}

	appOf(account: Account): App {
		const app = this.apps.get(account.app_id)
		if (!app) throw new Error(`Account ${account.id} belongs to no app`)
		return app
	}

	clear(): void {
		for (const map of [this.apps, this.portfolios, this.accounts, this.phones, this.tokens]) map.clear()
	}

	restore([kind, first, second]: JournalRecord): void {
		if (kind === 'app') this.saveApp(first as App)
		if (kind === 'portfolio') this.savePortfolio(first as Portfolio)
		if (kind === 'account') this.saveAccount(withDefaults(first as Account))
		if (kind === 'token') this.rejectToken(first as string, second as number | null)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const app of this.apps.values()) yield ['app', app]
		for (const portfolio of this.portfolios.values()) yield ['portfolio', portfolio]
		for (const account of this.accounts.values()) yield ['account', account]
		for (const [text, token] of this.tokens) {
			if (token.rejected_subcode !== null) yield ['token', text, token.rejected_subcode]
		}
	}
}

/** Adds the fields that an account from an older journal lacks. */
function withDefaults(account: Account): Account {
	const phones = account.phones.map((phone) => ({ ...PHONE_DEFAULTS, ...phone }))
	return {
		...businessDefaults(account.id),
		...account,
		phones,
		billing: { ...INDIAN_BILLING, ...(account as Partial<Account>).billing },
	}
}

function newTokenState(account: Account): Token {
	return { app_id: account.app_id, accounts: new Set([account.id]), rejected_subcode: null }
}
