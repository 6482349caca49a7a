import { useMediaQuery } from '@mantine/hooks'

/** Returns true in a window of a phone's width, from the first render on. */
export function useIsPhone(): boolean {
	return useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
}
