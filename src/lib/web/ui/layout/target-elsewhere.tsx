import { useImperativeHandle, type Ref, type RefObject } from 'react'

interface TargetElsewhereProps {
	of: RefObject<HTMLElement | null>
	ref?: Ref<HTMLElement | null>
}

/**
 * Serves as `Menu.Target` or `Popover.Target` for a button elsewhere, which is rendered before the popup's code has
 * loaded.
 */
export function TargetElsewhere({ of, ref }: TargetElsewhereProps) {
	useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => of.current)
	return null
}
