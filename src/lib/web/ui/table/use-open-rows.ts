import { useState } from 'react'

export interface OpenRows {
	/** Keys of the expanded rows. */
	open: ReadonlySet<string>
	toggle: (key: string) => void
}

/** Returns the expanded rows of a table. */
export function useOpenRows(): OpenRows {
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
	return { open, toggle: (key) => setOpen((old) => new Set(old).symmetricDifference(new Set([key]))) }
}
