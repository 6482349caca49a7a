import { useMounted } from '@mantine/hooks'

/**
 * Whether what opens over the page is shown. Asked for before its code had come, or as it is mounted, it opens a moment after it is
 * there: only an opening that it sees lets it return the focus.
 */
export function useSeenOpening(opened: boolean): boolean {
	const isThere = useMounted()
	return opened && isThere
}
