import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface First<Item> {
	/** The first items, or all of them once the button was pressed. */
	first: readonly Item[]
	/** The button that shows all items; false when none is hidden. */
	showAll: ReactNode
}

/** Returns the first `count` items of a list, and the button that shows the others. `name` is their plural, such as "reasons". */
export function useFirst<Item>(items: readonly Item[], { count, name }: { count: number; name: string }): First<Item> {
	const [isWhole, { open }] = useDisclosure(false)
	const isCut = !isWhole && items.length > count
	return {
		first: isCut ? items.slice(0, count) : items,
		showAll: isCut && (
			<Button variant="subtle" px={8} ml={-8} onClick={open}>
				Show all {items.length} {name}
			</Button>
		),
	}
}
