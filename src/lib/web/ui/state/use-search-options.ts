import { useEffect, useId, useState, type KeyboardEvent } from 'react'

/**
 * Returns the attributes of a search field and of the options below it, of which the arrow keys make one active and Enter
 * chooses it. The focus stays in the field, which refers to the active option. Call `restart` when the search changes.
 */
export function useSearchOptions<Option>(options: readonly Option[], onChoose: (option: Option) => void) {
	const [active, setActive] = useState(0)
	const id = useId()
	// Keeps the index in range while the results change.
	const current = Math.min(active, options.length - 1)
	useEffect(() => {
		document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' })
	}, [id, current])
	const onKeyDown = (event: KeyboardEvent) => {
		const chosen = options[current]
		if (event.nativeEvent.isComposing) return
		// Without an option, Enter would submit the form around the field.
		if (event.key === 'Enter') event.preventDefault()
		if (!chosen) return
		if (event.key === 'Enter') return onChoose(chosen)
		if (event.key === 'ArrowDown') setActive((current + 1) % options.length)
		else if (event.key === 'ArrowUp') setActive((current + options.length - 1) % options.length)
		else return
		event.preventDefault()
	}
	return {
		restart: () => setActive(0),
		field: {
			role: 'combobox',
			'aria-expanded': options.length > 0,
			'aria-controls': id,
			'aria-activedescendant': options.length > 0 ? `${id}-${current}` : undefined,
			'aria-autocomplete': 'list',
			autoComplete: 'off',
			onKeyDown,
		},
		list: { id, role: 'listbox' },
		/** Returns the attributes of the button of an option; `layout` is the class that places its content. */
		option: (option: Option, layout: string | undefined) => {
			const index = options.indexOf(option)
			return {
				type: 'button',
				className: `option-row ${layout}`,
				id: `${id}-${index}`,
				role: 'option',
				'aria-selected': index === current,
				tabIndex: -1,
				onPointerMove: () => setActive(index),
				onClick: () => onChoose(option),
			} as const
		},
	} as const
}

/** The attributes of the options of `useSearchOptions`. */
export type SearchOptions<Option> = Pick<ReturnType<typeof useSearchOptions<Option>>, 'list' | 'option'>
