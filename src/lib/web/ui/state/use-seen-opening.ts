import { useMounted } from '@mantine/hooks'

/**
 * Returns `opened`, delayed until after mount. Mantine restores focus only if it sees the change from closed to open.
 */
export function useSeenOpening(opened: boolean): boolean {
	const isThere = useMounted()
	return opened && isThere
}
