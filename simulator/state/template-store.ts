import type { Journal, JournalRecord } from './journal.ts'
import type { Template } from './templates.ts'

const FIRST_ID = 12_345_600_000_000_000n
const LOCK_MS = 30 * 24 * 60 * 60 * 1_000

export class TemplateStore {
	readonly #journal: Journal
	readonly #byId = new Map<string, Template>()
	readonly #byName = new Map<string, Map<string, Template>>()
	/** Time in milliseconds until which the name and language of a deleted template are locked, by `lockKey`. */
	readonly #locks = new Map<string, number>()
	#lastId = FIRST_ID

	constructor(journal: Journal) {
		this.#journal = journal
	}

	/** Returns a new id. Ids are odd and far apart, so that an id rounded to a JavaScript number is not another template's. */
	newId(): string {
		this.#lastId += 7_919n
		if (this.#lastId % 2n === 0n) this.#lastId++
		return String(this.#lastId)
	}

	/** Stores a template. Must be called after every change of one. */
	save(template: Template): void {
		this.#byId.set(template.id, template)
		this.#languagesOf(template).set(template.language, template)
		if (BigInt(template.id) > this.#lastId) this.#lastId = BigInt(template.id)
		this.#journal.write(['template', template])
	}

	/** Deletes a template. The name and language of an approved one stay locked for 30 days. */
	delete(template: Template): void {
		this.#byId.delete(template.id)
		this.#languagesOf(template).delete(template.language)
		this.#journal.write(['template-gone', template.id])
		if (template.status === 'APPROVED') this.#lock(lockKey(template), Date.now() + LOCK_MS)
	}

	isLocked(template: Pick<Template, 'waba_id' | 'name' | 'language'>): boolean {
		return (this.#locks.get(lockKey(template)) ?? 0) > Date.now()
	}

	find(id: string): Template | undefined {
		return this.#byId.get(id)
	}

	named(wabaId: string, name: string): Template[] {
		return [...(this.#byName.get(`${wabaId} ${name}`)?.values() ?? [])]
	}

	inLanguage(wabaId: string, name: string, language: string): Template | undefined {
		return this.#byName.get(`${wabaId} ${name}`)?.get(language)
	}

	/** Returns the templates of an account, newest first. */
	of(wabaId: string): Template[] {
		return [...this.#byId.values()].filter((template) => template.waba_id === wabaId).toReversed()
	}

	all(): Iterable<Template> {
		return this.#byId.values()
	}

	clear(): void {
		this.#byId.clear()
		this.#byName.clear()
		this.#locks.clear()
	}

	restore([kind, first, second]: JournalRecord): void {
		if (kind === 'template-lock') this.#lock(first as string, second as number)
		if (kind === 'template') this.save(first as Template)
		const gone = kind === 'template-gone' ? this.#byId.get(first as string) : undefined
		if (gone) this.delete(gone)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const template of this.#byId.values()) yield ['template', template]
		for (const [key, until] of this.#locks) yield ['template-lock', key, until]
	}

	#lock(key: string, until: number): void {
		this.#locks.set(key, until)
		this.#journal.write(['template-lock', key, until])
	}

	#languagesOf({ waba_id, name }: Template): Map<string, Template> {
		const key = `${waba_id} ${name}`
		const languages = this.#byName.get(key) ?? new Map<string, Template>()
		this.#byName.set(key, languages)
		return languages
	}
}

function lockKey({ waba_id, name, language }: Pick<Template, 'waba_id' | 'name' | 'language'>): string {
	return `${waba_id} ${name} ${language}`
}
