import type { Columns } from '#features/contacts/columns.ts'
import type { TypedPerson } from '#features/contacts/people-file.ts'
import { reviveProblem } from '#lib/app-error.ts'
import type { ContactRow } from './contacts-file.ts'
import type { Answer, Ask, Summary } from './csv-messages.ts'
import type { Rejected } from './csv-report.ts'

/** Client of the worker that reads a file. */
export interface CsvReader {
	open(file: File): Promise<Summary>
	map(columns: Columns): Promise<Summary>
	correct(row: number, typed: TypedPerson): Promise<Summary>
	keep(places: number[]): Promise<Summary>
	/** Includes rows with unlikely numbers, or leaves them out (the default). */
	include(unlikely: boolean): Promise<Summary>
	nameByNumber(byNumber: boolean): Promise<Summary>
	/** Returns numbers that have not been checked against the contacts. */
	unasked(count: number): Promise<string[]>
	know(numbers: string[], known: number[]): Promise<Summary>
	take(from: number, count: number): Promise<ContactRow[]>
	report(rejected: Rejected[]): Promise<File>
	close(): void
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

export function openCsvReader(): CsvReader {
	const worker = new Worker(new URL('./csv.worker.ts', import.meta.url), { type: 'module' })
	const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (reason: Error) => void }>()
	let asked = 0
	worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
		const who = waiting.get(data.id)
		waiting.delete(data.id)
		if (data.kind === 'failed') who?.reject(data.refusal ? reviveProblem(data.refusal) : new Error('the worker failed'))
		else who?.resolve(data)
	})
	worker.addEventListener('error', () => {
		for (const { reject } of waiting.values()) reject(new Error('the worker ended'))
		waiting.clear()
	})

	async function ask<Kind extends Answer['kind']>(kind: Kind, question: WithoutId<Ask>) {
		const id = ++asked
		const answer = await new Promise<Answer>((resolve, reject) => {
			waiting.set(id, { resolve, reject })
			// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
			worker.postMessage({ ...question, id })
		})
		if (answer.kind !== kind) throw new Error(`the worker answered ${answer.kind}`)
		return answer as Extract<Answer, { kind: Kind }>
	}

	return {
		open: async (file) => (await ask('read', { kind: 'open', file })).summary,
		map: async (columns) => (await ask('read', { kind: 'map', columns })).summary,
		correct: async (row, typed) => (await ask('read', { kind: 'correct', row, typed })).summary,
		keep: async (places) => (await ask('read', { kind: 'keep', places })).summary,
		nameByNumber: async (byNumber) => (await ask('read', { kind: 'name', byNumber })).summary,
		include: async (unlikely) => (await ask('read', { kind: 'include', unlikely })).summary,
		unasked: async (count) => (await ask('numbers', { kind: 'unasked', count })).numbers,
		know: async (numbers, known) => (await ask('read', { kind: 'know', numbers, known })).summary,
		take: async (from, count) => (await ask('rows', { kind: 'take', from, count })).rows,
		report: async (rejected) => (await ask('report', { kind: 'report', rejected })).file,
		close: () => worker.terminate(),
	}
}
