/** Returns the list with the item at `from` moved to `to`; unchanged when `to` is out of range. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
	const item = list[from]
	if (item === undefined || to < 0 || to >= list.length) return [...list]
	return list.toSpliced(from, 1).toSpliced(to, 0, item)
}

interface Extent {
	top: number
	bottom: number
}

/**
 * Returns the new index of an item dragged from `from`: it passes a neighbour when the pointer passes the neighbour's
 * middle.
 */
export function placeAt(rows: readonly Extent[], from: number, y: number): number {
	const isPast = (row: Extent | undefined, direction: number) =>
		row !== undefined && (y - (row.top + row.bottom) / 2) * direction > 0
	let place = from
	while (isPast(rows[place + 1], 1)) place++
	if (place === from) while (isPast(rows[place - 1], -1)) place--
	return place
}
