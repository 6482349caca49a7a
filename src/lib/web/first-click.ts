/** A click's handler that leaves out the second click of a double one, which would undo what the first has just done. */
export function once(act: () => void): (event: { detail: number }) => void {
	return ({ detail }) => {
		if (detail < 2) act()
	}
}
