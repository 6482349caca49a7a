import type { Account, Phone } from '#simulator/state/accounts.ts'

/** One update for a receiver. Its texts are escaped JSON. */
export interface Update {
	account: Account
	/** Set for a status: the statuses of one number share a `value`. */
	phone: Phone | null
	/** A status object, or a whole `{value, field}` change. */
	text: string
	/** True for changes of an account, whose entry carries the time. Entries of messages and statuses do not. */
	timed: boolean
	/** True for an update that needs a POST of its own. */
	alone: boolean
	acknowledged(): void
}

/**
 * Returns the POST body for many updates: an entry for each account, in it a change with all statuses of a number, and a
 * change for each other update.
 */
export function webhookBody(updates: readonly Update[]): string {
	const parts: string[] = []
	for (const [head, changes] of changesByEntry(updates)) parts.push(`${head}"changes":[${changes.join(',')}]}`)
	return `{"object":"whatsapp_business_account","entry":[${parts.join(',')}]}`
}

function changesByEntry(updates: readonly Update[]): Map<string, string[]> {
	const entries = new Map<string, string[]>()
	const statuses = new Map<Phone, string[]>()
	for (const update of updates) {
		if (!update.phone) push(entries, entryHead(update), update.text)
		else push(statuses, update.phone, update.text)
	}
	for (const [phone, texts] of statuses) push(entries, `{"id":"${phone.waba_id}",`, statusChange(phone, texts))
	return entries
}

function entryHead({ account, timed }: Update): string {
	return timed ? `{"id":"${account.id}","time":${Math.floor(Date.now() / 1000)},` : `{"id":"${account.id}",`
}

function statusChange(phone: Phone, texts: string[]): string {
	return `{"value":{"messaging_product":"whatsapp",${metadata(phone)},"statuses":[${texts.join(',')}]},"field":"messages"}`
}

export function metadata(phone: Phone): string {
	return `"metadata":{"display_phone_number":"${phone.digits}","phone_number_id":"${phone.id}"}`
}

function push<K>(map: Map<K, string[]>, key: K, text: string): void {
	const list = map.get(key)
	if (list) list.push(text)
	else map.set(key, [text])
}
