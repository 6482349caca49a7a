import { useState } from 'react'

export interface OpenRows {
	/** The keys of the rows that are expanded. */
	open: ReadonlySet<string>
	toggle: (key: string) => void
}

/** Which rows of a table show what is under them. */
export function useOpenRows(): OpenRows {
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
	return { open, toggle: (key) => setOpen((old) => new Set(old).symmetricDifference(new Set([key]))) }
}
