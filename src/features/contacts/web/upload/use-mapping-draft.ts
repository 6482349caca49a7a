import { useEffect, useRef, useState } from 'react'
import type { Columns } from '#features/contacts/columns.ts'
import { draftOf, likeForm } from '#lib/web/drafts/draft-store.ts'
import type { Summary } from './csv/csv-messages.ts'
import type { CsvFile } from './use-csv-file.ts'

interface Mapping {
	group: string
	fileName: string
	header: string[]
	/** Columns that the user chose; null for none. */
	columns: Columns | null
}

const BLANK: Mapping = { group: '', fileName: '', header: [], columns: null }

/**
 * Stores the group and columns chosen for a file as a draft. Browsers cannot store the file: once a file with the same
 * header is chosen, the columns are applied.
 */
export function useMappingDraft(csv: CsvFile) {
	const [opened] = useState(() => {
		const store = draftOf('contacts-upload')
		return { store, restored: likeForm(store.read(), BLANK) }
	})
	const { store, restored } = opened
	const [mapping, setMapping] = useState(restored ?? BLANK)
	const [isRestored, setRestored] = useState(restored !== null)
	const waiting = useRef(restored?.columns ?? null)
	const { chosen, map } = csv
	const summary = chosen?.summary ?? null

	useEffect(() => store.write(mapping, BLANK), [store, mapping])
	useEffect(() => {
		if (!summary || !waiting.current) return
		const columns = waiting.current
		waiting.current = null
		if (isSameHeader(summary, mapping.header)) map(columns)
	}, [summary, mapping.header, map])

	const forget = () => {
		waiting.current = null
		setMapping(BLANK)
		setRestored(false)
	}
	return {
		group: mapping.group,
		setGroup: (group: string) => setMapping({ ...mapping, group }),
		setColumns(columns: Columns) {
			setMapping({ ...mapping, columns, header: summary?.header ?? [], fileName: chosen?.file.name ?? '' })
			map(columns)
		},
		/** Name of the file to choose again; empty when only a group was chosen. */
		missingFile: isRestored && !chosen ? restored?.fileName : undefined,
		isRestored,
		forget,
	}
}

function isSameHeader({ header }: Summary, known: readonly string[]): boolean {
	return header.length === known.length && header.every((name, index) => name === known[index])
}
