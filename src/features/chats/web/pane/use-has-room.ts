import { useMediaQuery } from '@mantine/hooks'

/** Returns true when the window has room for the customer's details beside the chat. */
export function useHasRoom(): boolean {
	return useMediaQuery('(min-width: 85em)', false, { getInitialValueInEffect: false })
}
