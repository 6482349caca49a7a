import { INDIAN_BILLING, type Account, type App, type Phone, type Token } from './accounts.ts'
import type { Journal, JournalRecord } from './journal.ts'

/** Stores apps, business accounts, their phone numbers and access tokens. */
export class Directory {
	readonly apps = new Map<string, App>()
	readonly accounts = new Map<string, Account>()
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
		for (const map of [this.apps, this.accounts, this.phones, this.tokens]) map.clear()
	}

	restore([kind, first, second]: JournalRecord): void {
		if (kind === 'app') this.saveApp(first as App)
		if (kind === 'account') this.saveAccount(withBilling(first as Account))
		if (kind === 'token') this.rejectToken(first as string, second as number | null)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const app of this.apps.values()) yield ['app', app]
		for (const account of this.accounts.values()) yield ['account', account]
		for (const [text, token] of this.tokens) {
			if (token.rejected_subcode !== null) yield ['token', text, token.rejected_subcode]
		}
	}
}

/** Adds the default billing to an account from an older journal, which has none or only a part of it. */
function withBilling(account: Account): Account {
	return { ...account, billing: { ...INDIAN_BILLING, ...(account as Partial<Account>).billing } }
}

function newTokenState(account: Account): Token {
	return { app_id: account.app_id, accounts: new Set([account.id]), rejected_subcode: null }
}
