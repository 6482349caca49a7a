import type { Journal, JournalRecord } from './journal.ts'
import type { Template } from './templates.ts'

const FIRST_ID = 12_345_600_000_000_000n

export class TemplateStore {
	readonly #journal: Journal
	readonly #byId = new Map<string, Template>()
	readonly #byName = new Map<string, Map<string, Template>>()
	#lastId = FIRST_ID

	constructor(journal: Journal) {
		this.#journal = journal
	}

	// Odd and far apart, so that reading one as a JavaScript number gives another one.
	newId(): string {
		this.#lastId += 7_919n
		if (this.#lastId % 2n === 0n) this.#lastId++
		return String(this.#lastId)
	}

	/** Call it after every change of a template. */
	save(template: Template): void {
		this.#byId.set(template.id, template)
		this.#languagesOf(template).set(template.language, template)
		if (BigInt(template.id) > this.#lastId) this.#lastId = BigInt(template.id)
		this.#journal.write(['template', template])
	}

	delete(template: Template): void {
		this.#byId.delete(template.id)
		this.#languagesOf(template).delete(template.language)
		this.#journal.write(['template-gone', template.id])
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

	/** Newest first. */
	of(wabaId: string): Template[] {
		return [...this.#byId.values()].filter((template) => template.waba_id === wabaId).toReversed()
	}

	all(): Iterable<Template> {
		return this.#byId.values()
	}

	clear(): void {
		this.#byId.clear()
		this.#byName.clear()
	}

	restore([kind, first]: JournalRecord): void {
		if (kind === 'template') this.save(first as Template)
		const gone = kind === 'template-gone' ? this.#byId.get(first as string) : undefined
		if (gone) this.delete(gone)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const template of this.#byId.values()) yield ['template', template]
	}

	#languagesOf({ waba_id, name }: Template): Map<string, Template> {
		const key = `${waba_id} ${name}`
		const languages = this.#byName.get(key) ?? new Map<string, Template>()
		this.#byName.set(key, languages)
		return languages
	}
}
