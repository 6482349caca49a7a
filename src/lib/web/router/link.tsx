import type { ComponentProps, MouseEvent } from 'react'
import { addressOf, placeOf, urlOf } from './place.ts'
import { usePage, useRouter } from './router-view.tsx'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
	/** Address, also one relative to the current page, such as `?page=2`. */
	to: string
	replace?: boolean
	/** Value for the next page's `Place.state`. */
	state?: unknown
	preventScrollReset?: boolean
}

/** Renders a link that opens a screen without loading the page anew. */
export function Link({ to, replace, state, preventScrollReset, onClick, ...rest }: LinkProps) {
	const router = useRouter()
	const here = addressOf(usePage().place)
	const url = urlOf(to, new URL(here, location.origin))
	const isOwn = url.origin === location.origin
	const href = isOwn ? addressOf(placeOf(url, null, '')) : url.href
	const follow = (event: MouseEvent<HTMLAnchorElement>) => {
		onClick?.(event)
		if (!isOwn || event.defaultPrevented || !isPlainClick(event)) return
		event.preventDefault()
		void router.navigate(href, { replace: replace ?? href === here, state, preventScrollReset })
	}
	return (
		<a {...rest} href={href} onClick={follow}>
			{rest.children}
		</a>
	)
}

/** Returns true for a click that no key or target sends to another tab or window. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey, currentTarget }: MouseEvent<HTMLAnchorElement>) {
	const { target } = currentTarget
	return button === 0 && !(metaKey || altKey || ctrlKey || shiftKey) && (!target || target === '_self')
}
