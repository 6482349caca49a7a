import { useImperativeHandle, type Ref, type RefObject } from 'react'

interface TargetElsewhereProps {
	of: RefObject<HTMLElement | null>
	ref?: Ref<HTMLElement | null>
}

/** Stands within `Menu.Target` or `Popover.Target` for a button outside, which is there before the code of what it opens. */
export function TargetElsewhere({ of, ref }: TargetElsewhereProps) {
	useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => of.current)
	return null
}
