/** Returns a click handler that ignores the second click of a double click, which would undo the first. */
export function once(act: () => void): (event: { detail: number }) => void {
	return ({ detail }) => {
		if (detail < 2) act()
	}
}
