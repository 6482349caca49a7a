/** While the code of the first screen is on its way: nothing moves, nothing flashes. */
export function Starting() {
	return <div aria-busy="true" />
}
